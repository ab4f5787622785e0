package dev.millrace.exchange.layer;

import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;

/**
 * A few examples of those that have been learned last: at most 64, fewer where they are large.
 *
 * <p>Not thread-safe.
 */
final class ExampleSample {

  static final int MOST_EXAMPLES = 64;

  /** Where a network's layers are as wide as its input, as those of images may be, or wider. */
  private static final int MOST_FEATURES = 1 << 20;

  private static final Partition NOWHERE = new Partition("sample", 0);

  private final Minibatch examples;

  ExampleSample(ExampleShape shape) {
    this.examples =
        new Minibatch(
            shape,
            Math.max(1, Math.min(MOST_EXAMPLES, MOST_FEATURES / Math.max(1, shape.features()))));
  }

  /** Whether it would be full with so many more. */
  boolean isFullWith(int more) {
    return examples.size() + more >= examples.capacity();
  }

  boolean isFull() {
    return examples.isFull();
  }

  void clear() {
    examples.clear();
  }

  Minibatch examples() {
    return examples;
  }

  /** Takes the fresh examples of a minibatch whose features are complete, until it is full. */
  void take(Minibatch minibatch) {
    ExampleShape shape = minibatch.shape();
    for (int row = 0; row < minibatch.fresh() && !examples.isFull(); row++) {
      examples.add(
          part(minibatch.features(), row, shape.features()),
          part(minibatch.labels(), row, shape.labels()),
          Arrays.copyOfRange(minibatch.words(), row * shape.words(), (row + 1) * shape.words()),
          minibatch.steps(row),
          1,
          NOWHERE,
          row);
    }
  }

  private static float[] part(float[] rows, int row, int width) {
    return Arrays.copyOfRange(rows, row * width, (row + 1) * width);
  }
}
