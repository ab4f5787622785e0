package dev.millrace.exchange.rows;

import static dev.millrace.model.shape.IdColumn.Pooling.MEAN;
import static dev.millrace.model.shape.IdColumn.Pooling.SUM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.IdLists;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.testing.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PoolingTest {

  /** Two examples: [5, 6, 5] and [], in the second of two fields. */
  private static final IdLists LISTS = Lists.of(new long[] {9, 5, 6, 5}, new int[] {1, 4, 4, 4}, 2);

  private static final int[] NUMBERS = {2, 0, 1, 0};
  private static final float[] ROWS = {1, 2, 10, 20, -1, -1};

  @Test
  void sumsAndMeansAreOfAListAndAnEmptyOneGivesZeros() {
    float[] features = new float[8];
    Arrays.fill(features, 7);
    Pooling.pool(SUM, LISTS, 1, NUMBERS, ROWS, 2, features, 4, 1);
    assertThat(features).containsExactly(7, 12, 24, 7, 7, 0, 0, 7);
    Pooling.pool(MEAN, LISTS, 1, NUMBERS, ROWS, 2, features, 4, 1);
    assertThat(features).containsExactly(7, 4, 8, 7, 7, 0, 0, 7);
  }

  @Test
  void gradientsGoToEachIdAndThoseOfAMeanAreDivided() {
    float[] gradients = {100, 0, 0, 0, 0, 0};
    float[] features = {7, 3, 6, 7, 7, 9, 9, 7};
    Pooling.scatter(SUM, LISTS, 1, NUMBERS, gradients, 2, features, 4, 1);
    assertThat(gradients).containsExactly(106, 12, 3, 6, 0, 0);
    Arrays.fill(gradients, 0);
    Pooling.scatter(MEAN, LISTS, 1, NUMBERS, gradients, 2, features, 4, 1);
    assertThat(gradients).containsExactly(2, 4, 1, 2, 0, 0);
  }

  /** The way back is the transpose of the way there, whatever the lists are. */
  @ParameterizedTest
  @EnumSource(IdColumn.Pooling.class)
  void theWayBackIsTheTranspose(IdColumn.Pooling how) {
    long seed = Seeds.next();
    System.out.printf("%s: seed %s%n", how, seed);
    Random random = new Random(seed);
    int[] ends = new int[30];
    int end = 0;
    for (int list = 0; list < ends.length; list++) {
      end += random.nextInt(5);
      ends[list] = end;
    }
    IdLists lists = Lists.of(new long[end], ends, 3);
    int[] numbers = random.ints(end, 0, 8).toArray();
    float[] rows = gaussians(random, 8 * 4);
    float[] there = new float[10 * 6];
    float[] features = gaussians(random, 10 * 6);
    float[] back = new float[8 * 4];

    Pooling.pool(how, lists, 2, numbers, rows, 4, there, 6, 1);
    Pooling.scatter(how, lists, 2, numbers, back, 4, features, 6, 1);

    assertThat(product(there, features))
        .as("seed %s", seed)
        .isCloseTo(product(rows, back), within(1e-4));
  }

  private static float[] gaussians(Random random, int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  private static double product(float[] some, float[] others) {
    double product = 0;
    for (int i = 0; i < some.length; i++) {
      product += (double) some[i] * others[i];
    }
    return product;
  }
}
