package dev.millrace.simulate;

import dev.millrace.simulate.job.Defect;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Many runs, one seed after another, each in a thread of its own, until one fails. */
final class Campaign {

  private static final long SHRINK_NANOS = 40_000_000_000L;
  private static final long PROGRESS_NANOS = 5_000_000_000L;

  /**
   * What is asked for.
   *
   * @param seed of the first run; each has the next one
   * @param runs at most
   * @param nanos after which none begins
   * @param threads runs at a time
   */
  record Settings(long seed, long runs, long nanos, int threads) {}

  private final Settings settings;
  private final Consumer<String> progress;
  private final Totals totals;
  private final AtomicLong next = new AtomicLong();
  private final AtomicReference<Run.Result> failed = new AtomicReference<>();
  private final long start = System.nanoTime();
  private long lastProgress = start;

  /**
   * Makes one.
   *
   * @param progress is told how far it is, and of what fails
   */
  Campaign(Settings settings, Consumer<String> progress) {
    this.settings = settings;
    this.progress = progress;
    this.totals = new Totals(settings.seed());
  }

  /**
   * Runs.
   *
   * @return whether no run failed
   */
  boolean run() throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(settings.threads());
    try {
      List<Callable<Void>> workers = new ArrayList<>();
      for (int i = 0; i < settings.threads(); i++) {
        workers.add(this::work);
      }
      for (Future<Void> worker : threads.invokeAll(workers)) {
        worker.get();
      }
    } finally {
      threads.shutdownNow();
    }
    if (failed.get() != null) {
      tell(failed.get());
    }
    return failed.get() == null;
  }

  private Void work() {
    while (failed.get() == null
        && System.nanoTime() - start < settings.nanos()
        && !Thread.currentThread().isInterrupted()) {
      long number = next.getAndIncrement();
      if (number >= settings.runs()) {
        break;
      }
      Run.Result result = new Run(settings.seed() + number, fault -> true, null).run();
      totals.add(result);
      if (result.violationOrNull() != null) {
        var unused = failed.compareAndSet(null, result);
      }
      tellProgress();
    }
    return null;
  }

  private synchronized void tellProgress() {
    long now = System.nanoTime();
    if (now - lastProgress >= PROGRESS_NANOS) {
      lastProgress = now;
      progress.accept(totals.progress((now - start) / 1e9));
    }
  }

  private void tell(Run.Result result) {
    List<Integer> struck = new ArrayList<>(result.struck());
    progress.accept(
        "Seed %s fails: %s".formatted(result.seed(), result.violationOrNull().getMessage()));
    List<Integer> fewest =
        new Shrinker(
                result.seed(),
                result.violationOrNull().invariant(),
                () -> Defect.NONE,
                SHRINK_NANOS)
            .shrink(struck);
    progress.accept(
        "Of its %s faults %s make it fail: %s. Repeat it with --seed %s --faults %s --trace"
            .formatted(
                struck.size(),
                fewest.size(),
                FaultPlan.words(result.seed(), fewest),
                result.seed(),
                fewest.isEmpty()
                    ? "none"
                    : String.join(",", fewest.stream().map(String::valueOf).toList())));
  }

  Totals totals() {
    return totals;
  }
}
