package dev.millrace.example;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.LagSettings.By;
import dev.millrace.model.Partition;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LabelLagsTest {

  /** One feature, two classes, and the labels of two records before. */
  private static final ExampleShape SHAPE =
      new ExampleShape(1, 2, Target.CLASSIFICATION).withLabelLags(2);

  private static final int PARTITIONS = 5;
  private static final int RECORDS = 200;

  @Test
  void theNewestLabelComesFirstAndNoneIsZeros() {
    LabelLags lags = new LabelLags(SHAPE, LagSettings.OF_PARTITION);

    assertThat(read(lags, 0, 0, 1, null)).containsExactly(7, 0, 0, 0, 0);
    assertThat(read(lags, 0, 1, 0, null)).containsExactly(7, 0, 1, 0, 0);
    assertThat(read(lags, 0, 2, 0, null)).containsExactly(7, 1, 0, 0, 1);
    assertThat(read(lags, 0, 3, 1, null)).containsExactly(7, 1, 0, 1, 0);
    assertThat(read(lags, 1, 0, 1, null)).as("another partition").containsExactly(7, 0, 0, 0, 0);
    assertThat(read(lags, 0, 4, 1, null)).as("back again").containsExactly(7, 0, 1, 1, 0);
  }

  @Test
  void keysHaveLabelsOfTheirOwn() {
    LabelLags lags = new LabelLags(SHAPE, new LagSettings(By.KEY, 10));

    assertThat(read(lags, 0, 0, 1, "a")).containsExactly(7, 0, 0, 0, 0);
    assertThat(read(lags, 0, 1, 0, "b")).containsExactly(7, 0, 0, 0, 0);
    assertThat(read(lags, 0, 2, 0, null)).as("no key").containsExactly(7, 0, 0, 0, 0);
    assertThat(read(lags, 0, 3, 0, "a")).containsExactly(7, 0, 1, 0, 0);
    assertThat(read(lags, 0, 4, 0, "b")).containsExactly(7, 1, 0, 0, 0);
  }

  @Test
  void theLeastRecentlyUsedKeyGoes() {
    LabelLags lags = new LabelLags(SHAPE, new LagSettings(By.KEY, 2));
    float[] unused = read(lags, 0, 0, 1, "a");
    unused = read(lags, 0, 1, 1, "b");
    unused = read(lags, 0, 2, 1, "a");
    unused = read(lags, 0, 3, 1, "c");

    assertThat(read(lags, 0, 4, 1, "a")).containsExactly(7, 0, 1, 0, 1);
    assertThat(read(lags, 0, 5, 1, "b")).as("it was forgotten").containsExactly(7, 0, 0, 0, 0);
  }

  /** Partitions move from reader to reader, and records after a checkpoint are read again. */
  @ParameterizedTest
  @EnumSource(By.class)
  void eachExampleHasTheSameLabelsWhateverFailsAndWhoeverReads(By by) throws IOException {
    long seed = Seeds.next();
    Random die = new Random(seed);
    LagSettings settings = new LagSettings(by, 3);
    float[][][] expected = undisturbed(settings);
    int readers = 2;
    int[] owners = owners(die, readers);
    List<LabelLags> lags = started(readers, settings, owners, nothing());
    int[] positions = new int[PARTITIONS];
    List<byte[]> saved = nothing();
    int[] savedPositions = positions.clone();
    int restarts = 0;
    while (Arrays.stream(positions).sum() < PARTITIONS * RECORDS) {
      int event = die.nextInt(100);
      if (event == 0) {
        saved = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
          saved.add(lags.get(owners[partition]).save(partition(partition)));
        }
        savedPositions = positions.clone();
      } else if (event == 1 && restarts < 50) {
        restarts++;
        readers = 1 + die.nextInt(4);
        owners = owners(die, readers);
        lags = started(readers, settings, owners, saved);
        positions = savedPositions.clone();
      } else {
        int partition = die.nextInt(PARTITIONS);
        int offset = positions[partition];
        if (offset < RECORDS) {
          positions[partition]++;
          assertThat(record(lags.get(owners[partition]), partition, offset))
              .as("offset %d of partition %d, seed %d", offset, partition, seed)
              .containsExactly(expected[partition][offset]);
        }
      }
    }
  }

  @Test
  void labelsOfAnotherShapeAreRefused() throws IOException {
    LabelLags two = new LabelLags(SHAPE, LagSettings.OF_PARTITION);
    float[] unused = read(two, 0, 0, 1, null);
    byte[] saved = two.save(partition(0));
    LabelLags three =
        new LabelLags(
            new ExampleShape(1, 2, Target.CLASSIFICATION).withLabelLags(3),
            LagSettings.OF_PARTITION);

    assertThatThrownBy(() -> three.restore(partition(0), saved))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("the last 2 labels of 2 numbers each, and this job takes 3 of 2");
  }

  private static List<LabelLags> started(
      int readers, LagSettings settings, int[] owners, List<byte[]> saved) throws IOException {
    List<LabelLags> lags = new ArrayList<>();
    for (int reader = 0; reader < readers; reader++) {
      lags.add(new LabelLags(SHAPE, settings));
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      lags.get(owners[partition]).restore(partition(partition), saved.get(partition));
    }
    return lags;
  }

  private static List<byte[]> nothing() {
    return Collections.nCopies(PARTITIONS, new byte[0]);
  }

  private static Partition partition(int number) {
    return new Partition("t", number);
  }

  private static int[] owners(Random die, int readers) {
    return die.ints(PARTITIONS, 0, readers).toArray();
  }

  private static float[][][] undisturbed(LagSettings settings) {
    LabelLags lags = new LabelLags(SHAPE, settings);
    float[][][] features = new float[PARTITIONS][RECORDS][];
    for (int partition = 0; partition < PARTITIONS; partition++) {
      for (int offset = 0; offset < RECORDS; offset++) {
        features[partition][offset] = record(lags, partition, offset);
      }
    }
    return features;
  }

  private static float[] record(LabelLags lags, int partition, int offset) {
    int mixed = (partition * 31 + offset) * 0x9e3779b1;
    return read(lags, partition, offset, mixed >>> 31, "k" + (mixed >>> 20) % 5);
  }

  private static float[] read(LabelLags lags, int partition, long offset, int label, String key) {
    Example example = new Example(SHAPE);
    example.features()[0] = 7;
    example.setClass(label);
    example.setOrigin(partition(partition), offset);
    example.setKey(key == null ? null : key.getBytes(UTF_8));
    lags.complete(example);
    return example.features();
  }
}
