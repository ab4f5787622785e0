package dev.millrace.simulate;

import dev.millrace.simulate.job.Defect;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Looks for the first seed whose run shows a defect, and leaves out the faults that aren't needed.
 */
public final class DefectSearch {

  private static final long FIND_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long SHRINK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private DefectSearch() {}

  /** Looks for what is wrong with the code as it is here; returns as {@link #of} does. */
  public static String ofTheseClasses() {
    return of(() -> Defect.NONE);
  }

  /**
   * Looks for a defect.
   *
   * @return invariant, seconds, seed, faults, and the fewest of them, as a row; null where a minute
   *     shows nothing
   */
  static String of(Supplier<Defect> defect) {
    long start = System.nanoTime();
    Run.Result failed = null;
    for (long seed = 0; failed == null && System.nanoTime() - start < FIND_NANOS; seed++) {
      Run.Result result = new Run(seed, fault -> true, defect.get(), null).run();
      failed = result.violationOrNull() == null ? null : result;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (failed == null) {
      return null;
    }
    List<Integer> fewest =
        new Shrinker(failed.seed(), failed.violationOrNull().invariant(), defect, SHRINK_NANOS)
            .shrink(failed.struck());
    return String.format(
        Locale.ROOT,
        "%s | %.1f | %s | %s | %s",
        failed.violationOrNull().invariant(),
        seconds,
        failed.seed(),
        failed.struck().size(),
        fewest.isEmpty() ? "none" : FaultPlan.words(failed.seed(), fewest));
  }
}
