package dev.millrace.chaos;

import dev.millrace.cli.progress.MetricsLine.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Causes one fault after another while a job trains, and sees to it that it trains on. */
final class ChaosRun {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final FaultTarget stage;
  private final FaultPlan plan;
  private final ProgressLog progress;
  private final Consumer<String> say;
  private final FaultTable table = new FaultTable();

  /**
   * @param progress of the stage's job
   */
  ChaosRun(FaultTarget stage, FaultPlan plan, ProgressLog progress, Consumer<String> say) {
    this.stage = stage;
    this.plan = plan;
    this.progress = progress;
    this.say = say;
  }

  /**
   * Begins no further fault once {@code duration} is over.
   *
   * @throws ChaosException if the job doesn't go on after a fault
   */
  FaultTable run(Duration duration) throws IOException, InterruptedException {
    Faults faults = new Faults(stage);
    stage.submit(2, null);
    progress.await("The first round", LIMIT, any -> true);
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() < end) {
      PlannedFault fault = plan.next();
      TimeUnit.MILLISECONDS.sleep(fault.after().toMillis());
      table.add(recover(faults, fault));
    }
    return table;
  }

  private Recovery recover(Faults faults, PlannedFault fault)
      throws IOException, InterruptedException {
    Progress before = progress.latest();
    faults.cause(fault);
    long over = System.currentTimeMillis();
    Progress next =
        progress.await(
            "The next round after: " + fault.kind().title(),
            LIMIT,
            isAfter(fault.kind(), before, progress.latest(), over));
    long recovered = next.time();
    if (fault.kind().effect() == FaultKind.Effect.NO_CHECKPOINT) {
      stage.awaitCheckpoint();
      recovered = System.currentTimeMillis();
    }
    Recovery recovery = new Recovery(fault.kind(), Duration.ofMillis(recovered - over));
    say.accept(
        String.format(
            Locale.ROOT,
            "%s: trains again after %s s, version %s, %,d examples",
            fault.kind().title(),
            FaultTable.seconds(recovery.time()),
            next.version(),
            next.examples()));
    return recovery;
  }

  private static Predicate<Progress> isAfter(
      FaultKind kind, Progress before, Progress atEnd, long over) {
    Predicate<Progress> later = next -> next.time() > over;
    return switch (kind.effect()) {
      case RESTART -> later.and(next -> next.generation() > atEnd.generation());
      case NEW_START -> later.and(next -> next.generation() > before.generation());
      case NO_CHECKPOINT, UNKNOWN -> later;
    };
  }
}
