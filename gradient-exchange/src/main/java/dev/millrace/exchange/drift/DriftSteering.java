package dev.millrace.exchange.drift;

import dev.millrace.exchange.steering.CoordinatorHook;
import dev.millrace.exchange.steering.ErrorTrace;
import dev.millrace.exchange.steering.FeatureSample;
import dev.millrace.exchange.steering.Verdict;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Has training react to drifts: at once, for a number of examples, and not again within a pause.
 * What is found within it belongs to the same drift.
 *
 * <p>Not thread-safe; its metrics are.
 */
final class DriftSteering implements CoordinatorHook {

  private static final int FORMAT = 1;

  private final Reactions reactions;
  private final DriftWatch watch;

  /** Examples of the whole job up to which local steps and minibatches are fewer. */
  private long shortUntil;

  private long pausedUntil;

  private final AtomicLong drifts = new AtomicLong();
  private volatile long newestAt;

  /** Begins with no round seen. */
  DriftSteering(DriftRules rules) {
    this.reactions = rules.reactions();
    this.watch = new DriftWatch(rules.detection());
  }

  @Override
  public String name() {
    return "drift";
  }

  @Override
  public void add(ErrorTrace errors, FeatureStatistics statistics, FeatureSample sample) {
    watch.add(errors, statistics, sample);
  }

  @Override
  public Verdict close(long examples, FeatureStatistics all) {
    List<Finding> found = watch.close(all);
    boolean reacts = !found.isEmpty() && examples >= pausedUntil;
    if (reacts) {
      drifts.incrementAndGet();
      newestAt = examples;
      pausedUntil = after(examples, reactions.pause());
      shortUntil = after(examples, reactions.shortFor());
    }
    boolean isShort = examples < shortUntil;
    return new Verdict(
        reacts,
        isShort ? reactions.steps() : 1,
        isShort ? reactions.batch() : 1,
        reacts && reactions.publish(),
        found.stream().map(finding -> finding.notice(examples, reacts)).toList());
  }

  /** Adds examples, without end where the sum has no place in a long. */
  private static long after(long examples, long more) {
    return more > Long.MAX_VALUE - examples ? Long.MAX_VALUE : examples + more;
  }

  /** Returns how many drifts there were since the task began, and when the newest was found. */
  @Override
  public Map<String, LongSupplier> gauges() {
    return Map.of("drifts", drifts::get, "newestDriftExamples", () -> newestAt);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    out.writeLong(shortUntil);
    out.writeLong(pausedUntil);
    watch.write(out);
  }

  @Override
  public void read(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, DriftSteering.class);
    shortUntil = in.readLong();
    pausedUntil = in.readLong();
    watch.read(in);
  }
}
