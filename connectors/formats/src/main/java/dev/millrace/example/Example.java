package dev.millrace.example;

import dev.millrace.model.IdLists;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;

/**
 * One training record. A reader fills the same example again and again, so nothing is allocated per
 * record: whoever wants to keep it copies it.
 *
 * <p>Not thread-safe.
 */
public final class Example implements Received {

  /** A timestamp that is not known. */
  public static final long NO_TIMESTAMP = Long.MIN_VALUE;

  private final ExampleShape shape;
  private final float[] features;
  private final float[] labels;
  private final String[] words;
  private final IdLists ids;
  private int steps;
  private float weight;
  private long timestamp;
  private String id;
  private byte[] key;
  private Partition partition;
  private long offset;

  public Example(ExampleShape shape) {
    this.shape = shape;
    this.features = new float[shape.features()];
    this.labels = new float[shape.labels()];
    this.words = new String[shape.words()];
    this.ids = new IdLists(shape.columns().ids().size());
    reset();
  }

  /** Forgets all but features, labels, words and ids, which the next reader overwrites. */
  public void reset() {
    steps = shape.structure().steps();
    weight = 1;
    timestamp = NO_TIMESTAMP;
    id = null;
    key = null;
    partition = null;
    offset = -1;
  }

  public ExampleShape shape() {
    return shape;
  }

  /** The features, {@code shape.features()} of them; live. */
  public float[] features() {
    return features;
  }

  /** The labels, {@code shape.labels()} of them, one-hot for classification; live. */
  public float[] labels() {
    return labels;
  }

  /** Makes the labels one-hot. */
  public void setClass(int label) {
    Arrays.fill(labels, 0f);
    labels[label] = 1f;
  }

  /**
   * The words whose vocabularies the model learns, {@code shape.words()} of them, null for a
   * missing one; live.
   */
  public String[] words() {
    return words;
  }

  /** The ids, one row of as many lists as the shape has fields of ids; live. */
  public IdLists ids() {
    return ids;
  }

  /** Steps of a sequence; 0 where examples are no sequences. */
  public int steps() {
    return steps;
  }

  /**
   * Sets how many steps the sequence has.
   *
   * @param steps from 1 to {@code shape.structure().steps()}
   */
  public void setSteps(int steps) {
    this.steps = steps;
  }

  /** Returns how much the example counts in the loss, above 0. */
  public float weight() {
    return weight;
  }

  public void setWeight(float weight) {
    this.weight = weight;
  }

  /** Milliseconds since the epoch, or {@link #NO_TIMESTAMP}. */
  public long timestamp() {
    return timestamp;
  }

  public void setTimestamp(long timestamp) {
    this.timestamp = timestamp;
  }

  /** The producer's own name for the example, or null. */
  public String id() {
    return id;
  }

  public void setId(String id) {
    this.id = id;
  }

  /** The record's key as it came, or null; not to be changed. */
  public byte[] key() {
    return key;
  }

  public void setKey(byte[] key) {
    this.key = key;
  }

  @Override
  public Partition partition() {
    return partition;
  }

  @Override
  public long offset() {
    return offset;
  }

  public void setOrigin(Partition newPartition, long newOffset) {
    partition = newPartition;
    offset = newOffset;
  }

  /** An example of its own with the same content. */
  public Example copy() {
    Example copy = new Example(shape);
    copy.set(this);
    return copy;
  }

  /** Takes over all that another example of the same shape holds. */
  public void set(Example other) {
    System.arraycopy(other.features, 0, features, 0, features.length);
    System.arraycopy(other.labels, 0, labels, 0, labels.length);
    System.arraycopy(other.words, 0, words, 0, words.length);
    ids.set(other.ids);
    steps = other.steps;
    weight = other.weight;
    timestamp = other.timestamp;
    id = other.id;
    key = other.key;
    partition = other.partition;
    offset = other.offset;
  }
}
