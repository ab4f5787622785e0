package dev.millrace.benchmark.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
class AccuracyTest {

  private static final Duration WARM_UP = Duration.ofMillis(50);

  private long now;
  private double accuracy;

  static Stream<Training> trainings() {
    return Stream.of(new PlainFit(), ParallelWrapperTraining.averaging());
  }

  @ParameterizedTest
  @MethodSource("trainings")
  void reachesAnAccuracyThatIsEasy(Training training) {
    Accuracy accuracy =
        TimeToAccuracy.measure(
            training, Workloads.tiny(), Workloads.examples(2, 101), 0.9, 100, WARM_UP);

    assertThat(accuracy.time()).isPresent();
    assertThat(accuracy.accuracy()).isBetween(0.9, 1.0);
    long chunk = (long) TimeToAccuracy.CHUNK * training.workers() * Workloads.BATCH;
    assertThat(accuracy.examples()).isPositive();
    assertThat(accuracy.examples() % chunk).isZero();
  }

  @Test
  void evaluatesWithTheClockStopped() {
    AccuracyWatch watch = new AccuracyWatch(10, 100, 0.5, this::evaluateIn1000, () -> now);

    watch.goOn(0);
    now += 7;
    assertThat(watch.goOn(10)).isTrue();
    now += 8;
    assertThat(watch.goOn(20)).isFalse();

    assertThat(watch.result()).isEqualTo(new Accuracy(Optional.of(Duration.ofNanos(15)), 20, 0.6));
  }

  @Test
  void givesUpAfterTheMostExamples() {
    AccuracyWatch watch = new AccuracyWatch(10, 15, 2, this::evaluateIn1000, () -> now);

    watch.goOn(0);
    assertThat(watch.goOn(10)).isTrue();
    assertThat(watch.goOn(14)).isTrue();
    assertThat(watch.goOn(20)).isFalse();

    assertThat(watch.result().toJson())
        .isEqualTo("{\"seconds\":null,\"examples\":20,\"accuracy\":0.6}");
  }

  private double evaluateIn1000() {
    now += 1000;
    return accuracy += 0.3;
  }
}
