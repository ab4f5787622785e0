package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.IdLists;
import org.junit.jupiter.api.Test;

/** Two examples of two fields; the first field's lists are of rows 0, 1 and 1, and empty. */
class PoolingTest {

  private static final int DIMENSION = 2;
  private static final int COLUMNS = 4;
  private static final int COLUMN = 1;
  private static final float[] ROWS = {1, 2, 10, 20};

  private static IdLists lists() {
    IdLists lists = new IdLists(2);
    lists.add(100);
    lists.add(200);
    lists.add(200);
    lists.end();
    lists.add(100);
    lists.end();
    lists.end();
    lists.end();
    return lists;
  }

  private static float[] pool(Pooling pooling, int field) {
    float[] features = {9, 9, 9, 9, 9, 9, 9, 9};
    pooling.pool(
        lists(), field, new int[] {0, 1, 1, 0}, ROWS, DIMENSION, features, COLUMNS, COLUMN);
    return features;
  }

  @Test
  void rowsAreAddedUpAndEmptyListsAreZeros() {
    assertThat(pool(Pooling.SUM, 0)).containsExactly(9, 21, 42, 9, 9, 0, 0, 9);
    assertThat(pool(Pooling.SUM, 1)).containsExactly(9, 1, 2, 9, 9, 0, 0, 9);
  }

  @Test
  void meansAreOfAllIdsOfTheList() {
    assertThat(pool(Pooling.MEAN, 0)).containsExactly(9, 7, 14, 9, 9, 0, 0, 9);
  }

  @Test
  void gradientsGoToEachUseOfARow() {
    float[] ofFeatures = {9, 3, 6, 9, 9, 5, 5, 9};
    float[] sum = new float[4];
    float[] mean = new float[4];

    Pooling.SUM.scatter(
        lists(), 0, new int[] {0, 1, 1, 0}, sum, DIMENSION, ofFeatures, COLUMNS, COLUMN);
    Pooling.MEAN.scatter(
        lists(), 0, new int[] {0, 1, 1, 0}, mean, DIMENSION, ofFeatures, COLUMNS, COLUMN);

    assertThat(sum).containsExactly(3, 6, 6, 12);
    assertThat(mean).containsExactly(1, 2, 2, 4);
  }
}
