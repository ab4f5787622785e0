package dev.millrace.simulate;

import dev.millrace.kafka.models.SimulatedModelTopic;
import dev.millrace.simulate.check.Checks;
import dev.millrace.simulate.check.Violation;
import dev.millrace.simulate.job.Completed;
import dev.millrace.simulate.job.Defect;
import dev.millrace.simulate.job.Input;
import dev.millrace.simulate.job.JobEvents;
import dev.millrace.simulate.job.JobOptions;
import dev.millrace.simulate.job.Jobs;
import dev.millrace.simulate.job.ModelState;
import dev.millrace.simulate.job.WrittenFile;
import dev.millrace.simulate.task.Barrier;
import dev.millrace.simulate.task.Fiber;
import dev.millrace.simulate.task.Task;
import dev.millrace.simulate.time.Chance;
import dev.millrace.simulate.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/** One run: a job from its first record to its last, over all that a seed does to it. */
final class Run implements JobEvents {

  private static final long SECOND = 1_000_000;

  /** What a run was. */
  record Result(
      long seed,
      long micros,
      long events,
      int faults,
      List<Integer> struck,
      Map<Fault.Kind, Integer> byKind,
      long records,
      long lost,
      long doubled,
      Violation violationOrNull,
      Map<String, Long> looked,
      byte[] hash) {}

  private final long seed;
  private final Timeline timeline = new Timeline();
  private final Trace trace;
  private final Input input;
  private final Checks checks;
  private final Jobs jobs;
  private final FaultPlan plan;
  private final long endless;
  private final Map<Fault.Kind, Integer> byKind = new TreeMap<>();
  private final List<Integer> struck = new ArrayList<>();
  private boolean over;
  private Violation violation;

  /** How it has ended, if all records are learned. */
  private ModelState endOrNull;

  /**
   * Makes the run of a seed.
   *
   * @param kept which faults strike
   * @param wordsOrNull hears all that happens
   */
  Run(long seed, IntPredicate kept, Consumer<String> wordsOrNull) {
    this(seed, kept, Defect.NONE, wordsOrNull);
  }

  /** Makes one of a job with a defect. */
  Run(long seed, IntPredicate kept, Defect defect, Consumer<String> wordsOrNull) {
    this.seed = seed;
    this.trace = new Trace(wordsOrNull);
    Chance chance = new Chance(seed);
    this.input = Input.draw(chance.at("input"), chance.at("records").anyScale(40, 1_500));
    this.checks = new Checks(input);
    this.jobs =
        new Jobs(timeline, chance.at("job"), "s" + Long.toHexString(seed), input, defect, this);
    long calm = calm(input);
    this.plan = FaultPlan.of(seed, calm, kept);
    this.endless = calm + 4 * 3_600 * SECOND;
  }

  /** Returns when everything has to go well. */
  private static long calm(Input input) {
    return 2 * input.lastArrival() + 1_800 * SECOND;
  }

  /** Runs to the end. */
  Result run() {
    try {
      jobs.start();
      planFault();
      while (!over) {
        if (!timeline.step()) {
          throw checks.endless("nothing happens any more");
        }
        if (timeline.now() > endless) {
          throw checks.endless("it hasn't ended, at round %s".formatted(jobs.state()));
        }
        if (violation != null) {
          throw violation;
        }
      }
    } catch (Violation found) {
      violation = found;
    } finally {
      jobs.close();
      Fiber.abandonAll();
    }
    if (endOrNull != null && jobs.areInStep() && !struck.isEmpty()) {
      compare();
    }
    return new Result(
        seed,
        timeline.now(),
        timeline.happened(),
        struck.size(),
        struck,
        byKind,
        input.records(),
        checks.lost(),
        checks.doubled(),
        violation,
        checks.looked(),
        trace.hash());
  }

  /** Runs once more, without faults: a job whose replicas are in step ends the same. */
  private void compare() {
    Run undisturbed = new Run(seed, fault -> false, null);
    violation = undisturbed.run().violationOrNull();
    try {
      if (violation == null) {
        checks.same(undisturbed.endOrNull, endOrNull);
      }
    } catch (Violation found) {
      violation = found;
    }
  }

  private void planFault() {
    Fault next = plan.next();
    if (next != null) {
      var unused =
          timeline.at(
              next.time(),
              () -> {
                if (!over) {
                  strike(next);
                  planFault();
                }
              });
    }
  }

  private void strike(Fault fault) {
    struck.add(fault.number());
    byKind.merge(fault.kind(), 1, Integer::sum);
    trace.add(timeline.now(), "fault", fault.number(), fault.kind().name(), fault.target(), null);
    Strike.of(fault, jobs, input, timeline.now());
  }

  @Override
  public void works(Task task, String what, long detail, byte[] bytesOrNull) {
    trace.add(timeline.now(), task.vertex(), task.index(), what, detail, bytesOrNull);
  }

  @Override
  public void happened(String what, long detail) {
    trace.add(timeline.now(), "job", 0, what, detail, null);
  }

  @Override
  public void begins(Completed fromOrNull, JobOptions options) {
    checks.begins(fromOrNull, options);
  }

  @Override
  public void takes(Task task, Object message) {
    checks.rounds().takes(task, message);
  }

  @Override
  public void sends(Task task, Object message) {
    try {
      checks.rounds().sends(task, message);
      checks.made(message, false);
    } catch (Violation found) {
      // The task that sends it would fail.
      note(found);
    }
  }

  @Override
  public void passes(Task task, Barrier barrier) {
    checks.rounds().passes(task, barrier);
  }

  @Override
  public void completed(Completed checkpoint, JobOptions options) {
    checks.completed(checkpoint, options);
    checks.published(checkpoint, jobs.place().files());
    jobs.completed(checkpoint);
  }

  @Override
  public void rolledBack(Completed older) {
    checks.rolledBack(older);
  }

  @Override
  public void completedBySecond(Completed checkpoint) {
    checks.completedBySecond(checkpoint);
  }

  @Override
  public void wrote(WrittenFile file, JobOptions options) {
    wrote(file, options, false);
  }

  @Override
  public void wroteBySecond(WrittenFile file, JobOptions options) {
    wrote(file, options, true);
  }

  private void wrote(WrittenFile file, JobOptions options, boolean bySecond) {
    // Writers have names of their own, which are never the same.
    String known = file.name().startsWith("writer-") ? "a claim" : file.name();
    trace.add(timeline.now(), "models", bySecond ? 1 : 0, "wrote " + known, 0, null);
    try {
      checks.wrote(file, options, bySecond);
    } catch (Violation found) {
      // The publisher would take it for a failure of the store.
      note(found);
    }
  }

  @Override
  public void sent(SimulatedModelTopic topic) {
    trace.add(timeline.now(), "models", 0, "sent a record", 0, null);
    try {
      checks.sent(topic);
    } catch (Violation found) {
      // The writer would take it for a failure of the broker.
      note(found);
    }
  }

  private void note(Violation found) {
    violation = violation == null ? found : violation;
  }

  @Override
  public void forked() {
    checks.forked();
  }

  @Override
  public void sendsOfSecond(Object message) {
    checks.made(message, true);
  }

  @Override
  public void held(Map<String, byte[]> files) {
    checks.held(files);
  }

  @Override
  public void brokeDown(Task task, Exception cause) {
    if (jobs.isOfSecond(cause)) {
      return;
    }
    violation = checks.brokeDown(task.toString(), cause);
  }

  @Override
  public void ended(Completed last, boolean drained) {
    checks.ended(last, jobs.current().options(), drained);
    if (jobs.wasAlone()) {
      checks.left(jobs.place().files());
    }
    endOrNull = drained ? null : ModelState.of(last);
    over = true;
  }

  @Override
  public void stopped(Completed savepoint) {
    jobs.resume(savepoint);
  }
}
