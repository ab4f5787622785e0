package dev.millrace.job.train.measure;

import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.flink.ByteStringState.Deferred;
import dev.millrace.exchange.segment.HeldOutExample;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.exchange.segment.SegmentSamples;
import dev.millrace.job.follow.RowPlace;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * Keeps samples of the examples that are held out of training, and measures the global model on
 * each segment of them.
 *
 * <p>In checkpoints are the samples, each example exactly once, and the best score of each segment
 * as of the measurements that were told by then.
 *
 * <p>Belongs to the task's thread.
 */
public final class SegmentMeasurement {

  private static final String STATE = "segments";

  private final ByteStringState state;
  private final SegmentSamples samples;
  private final SegmentReports reports;
  private final SegmentMeter meter;
  private final Queue<Measured> measured = new ConcurrentLinkedQueue<>();

  private record Measured(GlobalModel model, List<SegmentResult> results) {}

  /**
   * Goes on from the checkpoint that the job continues from, or starts without samples.
   *
   * @param device where models are measured
   * @param rowsOrNull of ids; null where examples have none
   * @param measuredOne is called on another thread when there is something to {@link #tell}
   */
  public SegmentMeasurement(
      StateInitializationContext context,
      SegmentRule rule,
      ModelSpec spec,
      DeviceRequest device,
      RowPlace rowsOrNull,
      MetricGroup metrics,
      Runnable measuredOne)
      throws Exception {
    samples = new SegmentSamples(rule);
    state = ByteStringState.open(context, STATE);
    samples.restore(state.get());
    state.clear();
    reports = new SegmentReports(spec.shape().target(), rule, samples, metrics);
    meter =
        new SegmentMeter(
            spec,
            device,
            rowsOrNull,
            (model, results) -> {
              measured.add(new Measured(model, results));
              measuredOne.run();
            });
  }

  /** Drops what a job that measured by segment had kept. */
  public static void dropSamples(StateInitializationContext context) throws Exception {
    ByteStringState.open(context, STATE).clear();
  }

  public void add(HeldOutExample example) {
    samples.add(example);
  }

  /** Measures a model soon, by the examples so far. */
  public void measureSoon(GlobalModel model) {
    meter.measureSoon(model, samples.examples());
  }

  /** Waits until all that was asked for is measured. */
  public void await() throws InterruptedException {
    meter.await();
  }

  /** Returns a metric record of each model that was measured since the last call. */
  public List<String> tell() {
    List<String> records = new ArrayList<>();
    for (Measured one = measured.poll(); one != null; one = measured.poll()) {
      records.add(reports.tell(one.model.version(), one.results, System.currentTimeMillis()));
    }
    return records;
  }

  /** Saves all of it for the checkpoint that is being taken. */
  public void save() throws Exception {
    state.deferAll(samples.save().stream().map(one -> (Deferred) one::write).toList());
  }

  /** Lets go of what was saved: the checkpoint keeps its own. */
  public void letGo() {
    state.clear();
  }

  /** Waits for what is under way, and ends. */
  public void close() throws InterruptedException {
    meter.close();
  }
}
