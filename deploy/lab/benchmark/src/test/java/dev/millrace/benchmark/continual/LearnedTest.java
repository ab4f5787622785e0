package dev.millrace.benchmark.continual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.benchmark.stack.BenchmarkFailure;
import dev.millrace.benchmark.stack.TrainingRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LearnedTest {

  private static final int CHANGE = 5000;

  @TempDir Path directory;

  /** 0.9 are right; from the change on none for 1,000 examples, and then 0.9 again. */
  private Learned drifted() throws IOException {
    StringBuilder lines = new StringBuilder();
    double right = 0;
    for (int examples = 100; examples <= 10_000; examples += 100) {
      boolean lost = examples > CHANGE && examples <= CHANGE + 1000;
      right += lost ? 0 : 90;
      lines.append(
          String.format(
              Locale.ROOT,
              "{\"type\":\"progress\",\"examples\":%d,\"accuracy\":%.12f}%n",
              examples,
              right / examples));
    }
    lines.append("{\"type\":\"drift\",\"examples\":5300}\n");
    return learned(lines.toString());
  }

  private Learned learned(String lines) throws IOException {
    return new Learned(
        TrainingRecords.read(Files.writeString(directory.resolve("metrics.jsonl"), lines)));
  }

  @Test
  void accuracyOfAPartIsOfItsExamplesAlone() throws IOException {
    Learned learned = drifted();

    assertThat(learned.accuracy()).isCloseTo(0.81, within(1e-6));
    assertThat(learned.accuracy(0, CHANGE)).isCloseTo(0.9, within(1e-6));
    assertThat(learned.accuracy(CHANGE, CHANGE + 1000)).isCloseTo(0, within(1e-6));
    assertThat(learned.accuracy(50, 150)).isCloseTo(0.9, within(1e-6));
    assertThat(learned.curve(10)).hasSize(10);
    assertThat(learned.curve(10).get(5)[0]).isEqualTo(6000);
    assertThat(learned.curve(10).get(5)[1]).isCloseTo(0, within(1e-6));
  }

  @Test
  void recoveryLastsUntilAWholeRowIsPredictedWell() throws IOException {
    Learned learned = drifted();

    assertThat(learned.recovery(CHANGE, 500, 0.88)).hasValue(1500);
    assertThat(learned.recovery(CHANGE, 500, 0.95)).isEmpty();
    assertThat(learned.drifts()).containsExactly(5300L);
  }

  @Test
  void aJobThatLearnedNothingIsRefused() {
    assertThatThrownBy(() -> learned("{\"type\":\"holdout\"}\n"))
        .isInstanceOf(BenchmarkFailure.class);
  }
}
