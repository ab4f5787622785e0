package dev.millrace.evaluation;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.Arrays;
import java.util.Random;

/** Batches of random predictions that know something of their random labels. */
final class RandomRows {

  private static final int MOST = 50;

  private final ExampleShape shape;
  private final Random random;
  private final float[] predictions;
  private final float[] labels;
  private int count;

  RandomRows(ExampleShape shape, long seed) {
    this.shape = shape;
    this.random = new Random(seed);
    this.predictions = new float[MOST * shape.outputs()];
    this.labels = new float[MOST * shape.outputs()];
  }

  void next() {
    count = 1 + random.nextInt(MOST);
    Arrays.fill(labels, 0);
    for (int row = 0; row < count; row++) {
      int at = row * shape.outputs();
      int label = random.nextInt(shape.outputs());
      double sum = 0;
      for (int i = at; i < at + shape.outputs(); i++) {
        boolean is =
            shape.target() == Target.CLASSIFICATION ? i == at + label : random.nextBoolean();
        labels[i] = shape.target() == Target.REGRESSION ? 100 + random.nextFloat() : is ? 1 : 0;
        double signal = random.nextGaussian() * 2 + (is ? 2 : 0);
        predictions[i] =
            (float)
                switch (shape.target()) {
                  case CLASSIFICATION -> Math.exp(signal);
                  case MULTI_LABEL -> 1 / (1 + Math.exp(-signal));
                  case REGRESSION -> labels[i] + random.nextGaussian();
                };
        sum += predictions[i];
      }
      for (int i = at; shape.target() == Target.CLASSIFICATION && i < at + shape.outputs(); i++) {
        predictions[i] /= (float) sum;
      }
      if (random.nextInt(100) == 0) {
        predictions[at] = Float.NaN;
      }
    }
  }

  ExampleShape shape() {
    return shape;
  }

  float[] predictions() {
    return predictions;
  }

  float[] labels() {
    return labels;
  }

  int count() {
    return count;
  }
}
