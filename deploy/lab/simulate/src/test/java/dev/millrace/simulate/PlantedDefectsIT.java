package dev.millrace.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.simulate.job.Defect;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each planted defect is found within a minute of one thread, and told by few faults. */
@Tag("nightly")
class PlantedDefectsIT {

  private static final long FIND_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long SHRINK_NANOS = TimeUnit.SECONDS.toNanos(10);

  static Stream<String> names() {
    return PlantedDefects.all().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aDefectIsFound(String name) {
    Supplier<Defect> defect = PlantedDefects.all().get(name);
    long start = System.nanoTime();
    Run.Result failed = null;
    for (long seed = 0; failed == null && System.nanoTime() - start < FIND_NANOS; seed++) {
      Run.Result result = new Run(seed, fault -> true, defect.get(), null).run();
      failed = result.violationOrNull() == null ? null : result;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    assertThat(failed).as(name).isNotNull();

    List<Integer> fewest =
        new Shrinker(failed.seed(), failed.violationOrNull().invariant(), defect, SHRINK_NANOS)
            .shrink(failed.struck());
    System.out.println(
        String.format(
            Locale.ROOT,
            "| %s | %s | %.1f | %s | %s | %s |",
            name,
            failed.violationOrNull().invariant(),
            seconds,
            failed.seed(),
            failed.struck().size(),
            fewest.isEmpty() ? "none" : FaultPlan.words(failed.seed(), fewest)));
  }
}
