package dev.millrace.exchange.confusion;

import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.ArrayList;
import java.util.List;
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

  static final int BINS = 10;

  private static final int NONE = -1;

  private final int classes;
  private final int[][] counts;

  /** The cells that the latest examples are counted in, in turn. */
  private final int[] cells = new int[MOST_EXAMPLES];

  /** The probabilities of the predicted classes. */
  private final float[] probabilities = new float[MOST_EXAMPLES];

  private final boolean[] haveLastLabel = new boolean[MOST_EXAMPLES];

  private int last = NONE;
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
      int predicted = Measures.greatest(predictions, at, classes);
      add(
          Measures.greatest(minibatch.labels(), at, classes),
          predicted,
          predictions[at + predicted]);
    }
  }

  private void add(int actual, int predicted, float probability) {
    int place = (int) (added % MOST_EXAMPLES);
    if (added >= MOST_EXAMPLES) {
      counts[cells[place] / classes][cells[place] % classes]--;
    }
    cells[place] = actual * classes + predicted;
    counts[actual][predicted]++;
    probabilities[place] = probability;
    haveLastLabel[place] = actual == last;
    last = actual;
    added++;
  }

  /**
   * Reports the table as it is now.
   *
   * @param time in milliseconds since the epoch
   * @param round of the global model that the replica has
   */
  public ConfusionReport report(long time, long round) {
    int lastLabels = 0;
    for (int i = 0; i < examples(); i++) {
      lastLabels += haveLastLabel[i] ? 1 : 0;
    }
    return new ConfusionReport(time, round, ConfusionReport.copy(counts), lastLabels, confidence());
  }

  private int examples() {
    return (int) Math.min(added, MOST_EXAMPLES);
  }

  private List<ConfusionReport.Bin> confidence() {
    int[] examples = new int[BINS];
    int[] right = new int[BINS];
    double[] stated = new double[BINS];
    for (int i = 0; i < examples(); i++) {
      int bin = Math.max(0, Math.min(BINS - 1, (int) (probabilities[i] * BINS)));
      examples[bin]++;
      right[bin] += cells[i] / classes == cells[i] % classes ? 1 : 0;
      stated[bin] += probabilities[i];
    }
    List<ConfusionReport.Bin> bins = new ArrayList<>(BINS);
    for (int bin = 0; bin < BINS; bin++) {
      bins.add(new ConfusionReport.Bin(examples[bin], right[bin], stated[bin]));
    }
    return bins;
  }
}
