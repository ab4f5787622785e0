package dev.millrace.exchange.confusion;

import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.Optional;

/**
 * What a replica took its latest examples for, before it learned from them. Nothing of it is in
 * checkpoints.
 *
 * <p>Not thread-safe.
 */
public final class RecentConfusion {

  /** Examples that it covers. */
  static final int MOST_EXAMPLES = 1_000;

  /** Its record is a table of the square of as many numbers. */
  static final int MOST_CLASSES = 50;

  private final int classes;
  private final int[][] counts;

  /** The cells that the latest examples are counted in, in turn. */
  private final int[] cells = new int[MOST_EXAMPLES];

  private long added;

  private RecentConfusion(int classes) {
    this.classes = classes;
    this.counts = new int[classes][classes];
  }

  /**
   * Makes the table for examples of that shape; empty where they are no classes, or more than 50.
   */
  public static Optional<RecentConfusion> of(ExampleShape shape) {
    boolean has =
        shape.isFlat()
            && shape.target() == Target.CLASSIFICATION
            && shape.outputs() <= MOST_CLASSES;
    return has ? Optional.of(new RecentConfusion(shape.outputs())) : Optional.empty();
  }

  /**
   * Adds the fresh examples of a minibatch.
   *
   * @param predictions of these, row by row
   */
  public void add(Minibatch minibatch, float[] predictions) {
    for (int row = 0; row < minibatch.fresh(); row++) {
      int at = row * classes;
      add(
          Measures.greatest(minibatch.labels(), at, classes),
          Measures.greatest(predictions, at, classes));
    }
  }

  private void add(int actual, int predicted) {
    int place = (int) (added % MOST_EXAMPLES);
    if (added >= MOST_EXAMPLES) {
      counts[cells[place] / classes][cells[place] % classes]--;
    }
    cells[place] = actual * classes + predicted;
    counts[actual][predicted]++;
    added++;
  }

  /**
   * Reports the table as it is now.
   *
   * @param time in milliseconds since the epoch
   * @param round of the global model that the replica has
   */
  public ConfusionReport report(long time, long round) {
    return new ConfusionReport(time, round, counts);
  }
}
