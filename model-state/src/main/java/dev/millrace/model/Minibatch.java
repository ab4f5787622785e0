package dev.millrace.model;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.FeatureColumns;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;

/**
 * The examples of one optimizer step, in flat row-major arrays that are filled, used and cleared
 * again: nothing is allocated per example. Fresh rows remember the record that they came from, so
 * that the ledger can tell what was learned.
 *
 * <p>Rows that are replayed follow the fresh ones. A step learns from both alike. But a replayed
 * row has no record: it was counted when it was fresh, so ledger, measures, statistics, words and
 * the weight of a contribution are of the fresh rows alone.
 *
 * <p>Not thread-safe.
 */
public final class Minibatch {

  /** The time of a record where none is known; later than every other. */
  public static final long NO_TIME = Long.MAX_VALUE;

  private static final String[] NO_WORDS = {};

  private final ExampleShape shape;
  private final float[] features;
  private final float[] labels;
  private final String[] words;
  private final IdLists ids;

  /** One row of an example without ids. */
  private final IdLists noIds;

  private final int[] steps;
  private final float[] weights;
  private final int[] usesOfSecond;
  private final Partition[] partitions;
  private final long[] offsets;
  private final int freshCapacity;
  private int fresh;
  private int size;
  private long oldestTime = NO_TIME;
  private long newestTime = NO_TIME;

  /** One without room for replayed rows. */
  public Minibatch(ExampleShape shape, int capacity) {
    this(shape, capacity, 0);
  }

  /**
   * An empty one.
   *
   * @param freshCapacity fresh rows that it has room for, at least 1
   * @param replayedCapacity replayed rows that it has room for beside these
   */
  public Minibatch(ExampleShape shape, int freshCapacity, int replayedCapacity) {
    if (freshCapacity < 1 || replayedCapacity < 0) {
      throw new IllegalArgumentException(
          "A minibatch holds at least one fresh example, not %s and %s replayed ones"
              .formatted(freshCapacity, replayedCapacity));
    }
    int capacity = Math.addExact(freshCapacity, replayedCapacity);
    this.shape = shape;
    this.freshCapacity = freshCapacity;
    this.features = new float[Math.multiplyExact(capacity, shape.features())];
    this.labels = new float[Math.multiplyExact(capacity, shape.labels())];
    this.words = new String[Math.multiplyExact(capacity, shape.words())];
    this.ids = new IdLists(shape.columns().ids().size());
    this.noIds = IdLists.ofEmptyRow(ids.fields());
    this.steps = shape.structure().isSequence() ? new int[capacity] : null;
    this.weights = new float[capacity];
    this.usesOfSecond = new int[capacity];
    this.partitions = new Partition[capacity];
    this.offsets = new long[capacity];
  }

  /** Copies one example without words and ids, a sequence of all steps, into the next row. */
  public void add(
      float[] exampleFeatures,
      float[] exampleLabels,
      float weight,
      Partition partition,
      long offset) {
    add(
        exampleFeatures,
        exampleLabels,
        NO_WORDS,
        shape.structure().steps(),
        weight,
        partition,
        offset);
  }

  /** Copies one example without ids into the next row, as {@link #add} with all of them does. */
  public void add(
      float[] exampleFeatures,
      float[] exampleLabels,
      String[] exampleWords,
      int exampleSteps,
      float weight,
      Partition partition,
      long offset) {
    add(
        exampleFeatures,
        exampleLabels,
        exampleWords,
        noIds,
        exampleSteps,
        weight,
        partition,
        offset);
  }

  /**
   * Copies one example into the next row, which is a fresh one.
   *
   * @param exampleFeatures at least {@code shape.features()} floats
   * @param exampleLabels at least {@code shape.labels()} floats; one-hot for classification
   * @param exampleWords at least {@code shape.words()}, null for a missing one
   * @param exampleIds one row, of as many lists as the shape has fields of ids
   * @param exampleSteps steps of a sequence, from 1 to {@code shape.structure().steps()}; else 0
   * @param weight how much the example counts in the loss, above 0
   * @throws IllegalStateException if the minibatch is full, or has replayed rows already
   */
  public void add(
      float[] exampleFeatures,
      float[] exampleLabels,
      String[] exampleWords,
      IdLists exampleIds,
      int exampleSteps,
      float weight,
      Partition partition,
      long offset) {
    if (isFull()) {
      throw new IllegalStateException("The minibatch is full: " + fresh + " examples");
    }
    if (size > fresh) {
      throw new IllegalStateException("Fresh rows come before replayed ones");
    }
    copy(exampleFeatures, exampleLabels, exampleWords, 0, exampleSteps, weight);
    ids.addRow(exampleIds, 0);
    partitions[size] = partition;
    offsets[size] = offset;
    size++;
    fresh++;
  }

  /**
   * Copies one example without ids that was learned from before into the next row, as {@link
   * #addReplayed} with all of them does.
   */
  public void addReplayed(
      float[] allFeatures,
      float[] allLabels,
      String[] allWords,
      int row,
      int exampleSteps,
      float weight) {
    addReplayed(allFeatures, allLabels, allWords, row, noIds, exampleSteps, weight);
  }

  /**
   * Copies one example that was learned from before into the next row, out of flat arrays.
   *
   * @param allFeatures rows of {@code shape.features()} floats
   * @param allLabels rows of {@code shape.labels()} floats
   * @param allWords rows of {@code shape.words()}
   * @param row which of them
   * @param exampleIds one row, as of a fresh row
   * @param exampleSteps as of a fresh row
   * @param weight as of a fresh row
   * @throws IllegalStateException if there is no room for it
   */
  public void addReplayed(
      float[] allFeatures,
      float[] allLabels,
      String[] allWords,
      int row,
      IdLists exampleIds,
      int exampleSteps,
      float weight) {
    if (size == capacity()) {
      throw new IllegalStateException("The minibatch has no room: " + size + " examples");
    }
    copy(allFeatures, allLabels, allWords, row, exampleSteps, weight);
    ids.addRow(exampleIds, 0);
    size++;
  }

  private void copy(
      float[] allFeatures,
      float[] allLabels,
      String[] allWords,
      int row,
      int exampleSteps,
      float weight) {
    int width = shape.features();
    System.arraycopy(allFeatures, row * width, features, size * width, width);
    System.arraycopy(
        allLabels, row * shape.labels(), labels, size * shape.labels(), shape.labels());
    if (words.length > 0) {
      System.arraycopy(allWords, row * shape.words(), words, size * shape.words(), shape.words());
    }
    if (steps != null) {
      steps[size] = exampleSteps;
    }
    weights[size] = weight;
    usesOfSecond[size] = 0;
  }

  /** Takes rows out; those behind them move up, and fresh ones stay fresh. */
  public void remove(BitSet rows) {
    fresh -= rows.get(0, fresh).cardinality();
    ids.remove(rows);
    int kept = rows.nextSetBit(0);
    for (int row = kept; row >= 0 && row < size; row++) {
      if (!rows.get(row)) {
        move(row, kept++);
      }
    }
    if (kept >= 0) {
      Arrays.fill(partitions, kept, size, null);
      Arrays.fill(words, kept * shape.words(), size * shape.words(), null);
      size = kept;
    }
  }

  private void move(int from, int to) {
    int width = shape.features();
    System.arraycopy(features, from * width, features, to * width, width);
    System.arraycopy(labels, from * shape.labels(), labels, to * shape.labels(), shape.labels());
    if (words.length > 0) {
      System.arraycopy(words, from * shape.words(), words, to * shape.words(), shape.words());
    }
    if (steps != null) {
      steps[to] = steps[from];
    }
    weights[to] = weights[from];
    usesOfSecond[to] = usesOfSecond[from];
    partitions[to] = partitions[from];
    offsets[to] = offsets[from];
  }

  public void clear() {
    Arrays.fill(partitions, 0, size, null);
    Arrays.fill(words, 0, size * shape.words(), null);
    ids.clear();
    size = 0;
    fresh = 0;
    oldestTime = NO_TIME;
    newestTime = NO_TIME;
  }

  /**
   * Notes the time of a record among the examples, for how old they are when they are learned. It
   * isn't taken out with its row.
   *
   * @param time milliseconds since the epoch
   */
  public void noteTime(long time) {
    oldestTime = Math.min(oldestTime, time);
    newestTime = newestTime == NO_TIME ? time : Math.max(newestTime, time);
  }

  /** Milliseconds since the epoch, or {@link #NO_TIME}. */
  public long oldestTime() {
    return oldestTime;
  }

  /** Milliseconds since the epoch, or {@link #NO_TIME}. */
  public long newestTime() {
    return newestTime;
  }

  public ExampleShape shape() {
    return shape;
  }

  /** Rows, fresh and replayed. */
  public int size() {
    return size;
  }

  /**
   * Shows the first rows alone, or all of them again, for models that learn fewer of the replayed
   * ones. Nothing else may be done with the minibatch until it shows all.
   *
   * @param rows at least the fresh ones, and at most as many as it has
   * @return how many it showed before
   */
  public int show(int rows) {
    Objects.checkIndex(rows, capacity() + 1);
    if (rows < fresh) {
      throw new IllegalArgumentException(
          "%s of %s fresh rows can't be shown".formatted(rows, fresh));
    }
    int before = size;
    size = rows;
    return before;
  }

  /** Fresh rows, which come first. */
  public int fresh() {
    return fresh;
  }

  /** Rows that it has room for, fresh and replayed. */
  public int capacity() {
    return weights.length;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Whether there is no room for another fresh row. */
  public boolean isFull() {
    return fresh == freshCapacity;
  }

  /** The backing array, rows of {@code shape.features()}; {@link #size} rows are filled. */
  public float[] features() {
    return features;
  }

  /** The backing array, rows of {@code shape.labels()}. */
  public float[] labels() {
    return labels;
  }

  /** The backing array, rows of {@code shape.words()}; null where there is no word. */
  public String[] words() {
    return words;
  }

  /** The ids of each row, in the order of {@link FeatureColumns#ids}. */
  public IdLists ids() {
    return ids;
  }

  /** Steps of the sequence in a row; 0 where examples are no sequences. */
  public int steps(int row) {
    return steps == null ? 0 : steps[row];
  }

  /** The backing array, the steps of each row's sequence; null where examples are no sequences. */
  public int[] stepsOrNull() {
    return steps;
  }

  /** The backing array, one weight a row. */
  public float[] weights() {
    return weights;
  }

  /**
   * The backing array: where examples are for two inputs, how often the ids of each row's second
   * one, such as an item, were used before this minibatch; 0 where nobody has said it. It isn't
   * kept with the examples.
   */
  public int[] usesOfSecond() {
    return usesOfSecond;
  }

  /** The partition of a fresh row's record; null for a replayed one. */
  public Partition partition(int row) {
    return partitions[row];
  }

  /** The offset of a fresh row's record. */
  public long offset(int row) {
    return offsets[row];
  }

  /** Sum of the weights of the fresh rows. */
  public double totalWeight() {
    double sum = 0;
    for (int row = 0; row < fresh; row++) {
      sum += weights[row];
    }
    return sum;
  }

  /** Enters every fresh row into the ledger as learned. */
  public void recordIn(Ledger ledger) {
    for (int row = 0; row < fresh; row++) {
      ledger.learned(partitions[row], offsets[row]);
    }
  }
}
