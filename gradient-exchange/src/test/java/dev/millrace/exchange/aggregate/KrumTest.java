package dev.millrace.exchange.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class KrumTest {

  /** The last is near the range of each value, and far from all others: no median sees it. */
  private static final float[][] CHANGES = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {0, 4}};

  @Test
  void krumTakesTheChangeThatIsNearestToTheOthers() {
    assertThat(aggregate(Aggregator.krum(0.2), CHANGES)).containsExactly(2, 2);
  }

  @Test
  void multiKrumIsTheMeanWithoutTheFarthest() {
    assertThat(aggregate(Aggregator.multiKrum(0.2), CHANGES)).containsExactly(2.5f, 2.5f);
  }

  @Test
  void oneOfFiveMaySendAnything() {
    float[][] poisoned = {{1, 1}, {1e30f, -1e30f}, {2, 2}, {3, 3}, {4, 4}};

    assertThat(aggregate(Aggregator.multiKrum(0.25), poisoned)).containsExactly(2.5f, 2.5f);
  }

  @Test
  void ofTooFewToTolerateOneAllCount() {
    assertThat(aggregate(Aggregator.multiKrum(0.5), new float[][] {{1}, {2}, {3}, {6}}))
        .containsExactly(3);
    assertThat(aggregate(Aggregator.multiKrum(0.5), new float[][] {{1}, {3}})).containsExactly(2);
    assertThat(aggregate(Aggregator.krum(0.5), new float[][] {{1}})).containsExactly(1);
  }

  @Test
  void onlyThePartThatIsAskedForIsCombined() {
    float[] result = {7, 7, 7};

    Aggregator.multiKrum(0).aggregate(new float[][] {{1, 2, 3}}, new double[] {1}, 1, 2, result);

    assertThat(result).containsExactly(7, 2, 7);
  }

  @Test
  void moreThanHalfCannotBeFaulty() {
    assertThatIllegalArgumentException().isThrownBy(() -> Aggregator.krum(0.6));
  }

  private static float[] aggregate(Aggregator aggregator, float[][] changes) {
    double[] weights = new double[changes.length];
    Arrays.fill(weights, 1);
    float[] result = new float[changes[0].length];
    aggregator.aggregate(changes, weights, 0, result.length, result);
    return result;
  }
}
