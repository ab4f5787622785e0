package dev.millrace.cli.describe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LabelOrderTest {

  private final LabelOrder order = new LabelOrder();

  @Test
  void classesInBlocksAreRuns() {
    for (int i = 0; i < 600; i++) {
      next(i / 200);
    }

    assertThat(order.remark())
        .hasValue(
            "Classes come in runs: the last label is right for 100 % of the records, and would be"
                + " for 33 % of shuffled ones; the most frequent class is for 33 %");
  }

  /** A class may be right nine times of ten, and runs be hidden behind it. */
  @Test
  void runsOfARareClassAreFound() {
    for (int i = 0; i < 1000; i++) {
      next(i % 200 < 20 ? 1 : 0);
    }

    assertThat(order.remark()).isPresent();
  }

  @Test
  void shuffledRecordsHaveNone() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      next(Math.min(2, random.nextInt(9) / 3 * random.nextInt(2)));
    }

    assertThat(order.remark()).as("seed %d", seed).isEmpty();
  }

  @Test
  void classesThatAlternateAreNoRuns() {
    for (int i = 0; i < 600; i++) {
      next(i % 3);
    }

    assertThat(order.remark()).isEmpty();
  }

  @Test
  void aFewRecordsTellNothing() {
    for (int i = 0; i < 199; i++) {
      next(i / 100);
    }

    assertThat(order.remark()).isEmpty();
  }

  private void next(int of) {
    float[] labels = new float[3];
    labels[of] = 1;
    order.next(labels);
  }
}
