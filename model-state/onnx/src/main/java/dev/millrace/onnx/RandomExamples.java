package dev.millrace.onnx;

import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Standardization;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.NumberColumns;
import dev.millrace.model.shape.WordColumn;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Raw examples to compare predictions by: numbers around the means that a model has learned, some
 * far beyond its clip, some missing where they may be, rows of embedding tables, and words known,
 * unknown and missing. Sequences of a batch are of one length, from a single step to the most.
 *
 * @param steps of each sequence; 1 where examples are none
 * @param features rows of {@code shape.features()}, zeros behind the steps
 * @param words rows of {@code shape.words()}, null for a missing one
 */
record RandomExamples(int rows, int steps, float[] features, String[] words) {

  private static final double FAR = 0.02;
  private static final double FAR_AWAY = 100;
  private static final double MISSING = 0.05;

  /**
   * @param ids features are integers below it, where that isn't the greatest integer
   */
  static RandomExamples draw(
      ExampleShape shape, LearnedFeatures learned, int ids, int rows, Random random) {
    // DL4J can't undo the steps of a single example with a single step.
    int steps = rows == 1 ? shape.rows() : 1 + random.nextInt(shape.rows());
    float[] features = new float[rows * shape.features()];
    String[] words = new String[rows * shape.words()];
    boolean[] decided = decidedByWords(shape);
    Standardization scales = scales(shape, learned);
    for (int row = 0; row < rows; row++) {
      for (int step = 0; step < steps; step++) {
        int at = row * shape.features() + step * shape.width();
        for (int i = 0; i < shape.width(); i++) {
          double value =
              ids == Integer.MAX_VALUE
                  ? scales.mean()[i] + scales.scale()[i] * distance(scales, random)
                  : random.nextInt(ids);
          features[at + i] = decided[i] ? 0 : (float) value;
        }
      }
    }
    RandomExamples examples = new RandomExamples(rows, steps, features, words);
    if (!NumberColumns.areAll(shape)) {
      examples.leaveOut(shape, random);
    }
    examples.drawWords(shape, learned, random);
    return examples;
  }

  /**
   * Draws how far a value is from its mean. It stays near where nothing is clipped: values from far
   * away would tell of rounding alone.
   */
  private static double distance(Standardization scales, Random random) {
    boolean far = Float.isFinite(scales.clip()) && random.nextDouble() < FAR;
    return random.nextGaussian() * (far ? FAR_AWAY : 1);
  }

  /** The rows that the ids of a field make together, which are among the features. */
  float[] rowsOf(IdColumn column) {
    int width = column.features().length();
    int stride = features.length / rows;
    float[] values = new float[rows * width];
    for (int row = 0; row < rows; row++) {
      int from = row * stride + column.features().from();
      System.arraycopy(features, from, values, row * width, width);
    }
    return values;
  }

  private static boolean[] decidedByWords(ExampleShape shape) {
    boolean[] decided = new boolean[shape.width()];
    for (WordColumn column : shape.columns().words()) {
      Arrays.fill(decided, column.from(), column.from() + column.width(), true);
    }
    return decided;
  }

  private static Standardization scales(ExampleShape shape, LearnedFeatures learned) {
    if (learned.standardizes()) {
      return learned.statistics().standardization().ofAll(shape);
    }
    float[] ones = new float[shape.width()];
    Arrays.fill(ones, 1);
    return new Standardization(new float[shape.width()], ones);
  }

  private void leaveOut(ExampleShape shape, Random random) {
    for (int row = 0; row < rows; row++) {
      for (int step = 0; step < steps; step++) {
        for (int column = 0; column < NumberColumns.count(shape); column++) {
          if (random.nextDouble() < MISSING) {
            int at = row * shape.features() + step * shape.width();
            features[at + NumberColumns.feature(shape, column)] = Float.NaN;
          }
        }
      }
    }
  }

  private void drawWords(ExampleShape shape, LearnedFeatures learned, Random random) {
    int columns = shape.columns().words().size();
    for (int row = 0; row < rows && columns > 0; row++) {
      for (int i = 0; i < steps * columns; i++) {
        List<String> known = learned.vocabularies().of(i % columns).words();
        int word = random.nextInt(known.size() + 2) - 2;
        words[row * shape.words() + i] =
            word == -2 ? null : word == -1 ? "\u00fc unknown" : known.get(word);
      }
    }
  }
}
