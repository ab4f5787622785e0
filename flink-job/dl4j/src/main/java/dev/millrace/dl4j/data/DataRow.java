package dev.millrace.dl4j.data;

/**
 * One example of a minibatch, with the place that the ledger counts it by. A reader fills the same
 * row again and again.
 *
 * <p>Flink sees a POJO in it, hence the public fields.
 */
public final class DataRow {

  /** The share of a row that has no place: the ledger counts it by that of the stream. */
  public static final int NO_SHARE = -1;

  /** Passes over the data before this one. */
  public int epoch;

  /** Which share of the minibatches it is of. */
  public int share;

  /** Examples of that share and epoch before it. */
  public long number;

  /** Features, row-major; of a sequence those of its steps, one after the other. */
  public float[] features = {};

  /** Labels, arranged as the features are. */
  public float[] labels = {};

  /** How much it counts in the loss. */
  public float weight = 1;

  /** Why it can't be learned from; null where it can. */
  public String problem;
}
