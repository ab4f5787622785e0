package dev.millrace.cli.describe;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Tells whether the classes of records come in runs. In shuffled records a class follows itself as
 * often as it is drawn twice; where it does so much more often, a model has to follow the stream,
 * and predicting the last label is the baseline to beat.
 *
 * <p>Not thread-safe.
 */
public final class LabelOrder {

  /** Fewer records may have runs by chance. */
  private static final long FEWEST = 200;

  /** The last label is right so much more often in an ordered stream than in shuffled records. */
  private static final double LEAST_EXCESS = 0.1;

  private long[] counts = {};
  private long records;
  private long repeats;
  private int last = -1;

  /**
   * Takes in the next record.
   *
   * @param labels one for each class; that of the record's class is the greatest
   */
  public void next(float[] labels) {
    if (counts.length < labels.length) {
      counts = Arrays.copyOf(counts, labels.length);
    }
    int greatest = 0;
    for (int i = 1; i < labels.length; i++) {
      greatest = labels[i] > labels[greatest] ? i : greatest;
    }
    records++;
    repeats += greatest == last ? 1 : 0;
    counts[greatest]++;
    last = greatest;
  }

  /** Says why a stream is ordered; empty where it isn't, or has too few records to tell. */
  public Optional<String> remark() {
    if (records < FEWEST) {
      return Optional.empty();
    }
    double shuffled = 0;
    long most = 0;
    for (long count : counts) {
      double share = (double) count / records;
      shuffled += share * share;
      most = Math.max(most, count);
    }
    double lastIsRight = (double) repeats / (records - 1);
    if (lastIsRight < shuffled + LEAST_EXCESS) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "Classes come in runs: the last label is right for %.0f %% of the records, and would be"
                + " for %.0f %% of shuffled ones; the most frequent class is for %.0f %%",
            100 * lastIsRight,
            100 * shuffled,
            100.0 * most / records));
  }
}
