package dev.millrace.benchmark.workload;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.Random;

/**
 * Tasks of equal length, one after the other. Each has an order of the features of its own, so it
 * is as hard as the others, and nothing of them helps (Goodfellow et al. 2013). The same for a
 * seed.
 */
public final class PermutedTasks implements ExampleSequence {

  private final ExampleSequence examples;
  private final long length;
  private final long count;
  private final Random random;
  private final int[] order;
  private final float[] original;
  private long given;

  /**
   * @param examples at least as many as the tasks take; closed with this
   * @param tasks how many there are
   * @param length examples of each
   */
  public PermutedTasks(ExampleSequence examples, int tasks, long length, long seed) {
    this.examples = examples;
    this.length = length;
    this.count = tasks * length;
    this.random = new Random(seed);
    this.order = new int[examples.shape().features()];
    this.original = new float[order.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
  }

  @Override
  public ExampleShape shape() {
    return examples.shape();
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public boolean next(Example into) throws IOException {
    if (given == count || !examples.next(into)) {
      return false;
    }
    if (given++ % length == 0) {
      shuffle();
    }
    float[] features = into.features();
    System.arraycopy(features, 0, original, 0, features.length);
    for (int i = 0; i < order.length; i++) {
      features[i] = original[order[i]];
    }
    return true;
  }

  private void shuffle() {
    for (int i = order.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
  }

  @Override
  public void close() throws IOException {
    examples.close();
  }
}
