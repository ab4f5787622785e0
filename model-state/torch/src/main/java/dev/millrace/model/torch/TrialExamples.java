package dev.millrace.model.torch;

import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;
import java.util.Random;

/** Examples that a network is tried on: any that computes at all can compute with them. */
final class TrialExamples {

  private TrialExamples() {}

  /**
   * Numbers above 0 and below 1, the same each time: they have logarithms and roots, and are the id
   * 0 where a network takes ids.
   */
  static float[] features(ExampleShape shape, int rows) {
    float[] values = new float[rows * shape.features()];
    Random random = new Random(rows);
    for (int i = 0; i < values.length; i++) {
      values[i] = 0.01f + 0.98f * random.nextFloat();
    }
    return values;
  }

  /** Makes a minibatch with labels that are 1 for the first output, and no words. */
  static Minibatch minibatch(ExampleShape shape, int rows) {
    Minibatch minibatch = new Minibatch(shape, rows);
    float[] features = features(shape, rows);
    float[] labels = new float[shape.outputs()];
    labels[0] = 1;
    for (int row = 0; row < rows; row++) {
      int from = row * shape.features();
      minibatch.add(
          Arrays.copyOfRange(features, from, from + shape.features()),
          labels,
          new String[shape.words()],
          0,
          1,
          new Partition("trial", 0),
          row);
    }
    return minibatch;
  }
}
