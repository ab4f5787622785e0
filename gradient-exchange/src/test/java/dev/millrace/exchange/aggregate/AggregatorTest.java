package dev.millrace.exchange.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.testing.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AggregatorTest {

  private static final double[] EQUAL = {1, 1, 1, 1};

  @Test
  void theMeanWeighsByExamples() {
    float[][] changes = {{4, 9}, {0, 1}};

    assertThat(aggregate(Aggregator.weightedMean(), new double[] {3, 1}, changes))
        .containsExactly(3, 7);
  }

  @Test
  void theSumCountsEachInFullButAveragesUpdaterState() {
    float[][] changes = {{4, 9}, {2, 1}};
    double[] weights = {3, 1};

    assertThat(aggregate(Aggregator.sum(), weights, changes)).containsExactly(6, 10);
    assertThat(aggregate(Aggregator.sum().ofUpdaterState(), weights, changes))
        .containsExactly(3.5f, 7);
  }

  @Test
  void onePoisonedReplicaOfFourDoesNoHarmToMedianAndTrimmedMean() {
    float[][] changes = {{1, -1}, {1e30f, -Float.MAX_VALUE}, {2, -2}, {3, -3}};

    assertThat(aggregate(Aggregator.median(), EQUAL, changes)).containsExactly(2.5f, -2.5f);
    assertThat(aggregate(Aggregator.trimmedMean(0.25), EQUAL, changes))
        .containsExactly(2.5f, -2.5f);
  }

  @Test
  void aTrimmedMeanOfTooFewToTrimIsTheirMean() {
    float[][] changes = {{1}, {2}, {6}};

    assertThat(aggregate(Aggregator.trimmedMean(0.25), new double[] {1, 1, 1}, changes))
        .containsExactly(3);
  }

  @Test
  void trimmedMeansAreThoseOfSortedColumns() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    for (int run = 0; run < 200; run++) {
      int members = 1 + random.nextInt(9);
      double share = random.nextDouble() / 2;
      float[][] changes = new float[members][7];
      for (float[] row : changes) {
        for (int i = 0; i < row.length; i++) {
          row[i] = random.nextInt(4) == 0 ? 0 : (float) random.nextGaussian();
        }
      }
      double[] weights = new double[members];
      Arrays.fill(weights, 1);

      float[] actual = aggregate(Aggregator.trimmedMean(share), weights, changes);

      int trimmed = Math.min((int) (share * members), (members - 1) / 2);
      for (int i = 0; i < 7; i++) {
        int column = i;
        double expected =
            IntStream.range(0, members)
                .mapToDouble(member -> changes[member][column])
                .sorted()
                .skip(trimmed)
                .limit(members - 2L * trimmed)
                .average()
                .orElseThrow();
        assertThat((double) actual[i]).as("seed %d", seed).isCloseTo(expected, within(1e-6));
      }
    }
  }

  @Test
  void onlyTheGivenRangeIsSet() {
    for (Aggregator aggregator :
        new Aggregator[] {Aggregator.weightedMean(), Aggregator.sum(), Aggregator.median()}) {
      float[] result = {7, 7, 7, 7};
      aggregator.aggregate(new float[][] {{1, 2, 3, 4}}, new double[] {5}, 1, 3, result);
      assertThat(result).containsExactly(7, 2, 3, 7);
    }
  }

  @Test
  void refusesToTrimMoreThanHalf() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Aggregator.trimmedMean(0.6))
        .withMessageContaining("0.6");
  }

  private static float[] aggregate(Aggregator aggregator, double[] weights, float[]... changes) {
    float[] result = new float[changes[0].length];
    aggregator.aggregate(changes, weights, 0, result.length, result);
    return result;
  }
}
