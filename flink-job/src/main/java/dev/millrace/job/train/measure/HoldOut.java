package dev.millrace.job.train.measure;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.job.follow.ServedRows;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.IdLists;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Measures;
import dev.millrace.model.MeasuresSum;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.UnusableRows;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Examples that the model never learns from, in memory, to measure it by.
 *
 * <p>Not thread-safe.
 */
public final class HoldOut implements AutoCloseable {

  private static final int ROWS_AT_ONCE = 256;

  private final ExampleShape shape;
  private final float[] features;
  private final float[] labels;
  private final String[] words;
  private final IdLists ids;
  private final int[] stepsOrNull;
  private final int rows;
  private final String checksum;
  private final float[] batch;
  private final float[] batchLabels;
  private final int[] batchStepsOrNull;
  private final float[] predictions;
  private ServedRows rowsOrNull;
  private ServedRows.Reader readerOrNull;
  private String unusableOrNull;

  private HoldOut(
      ExampleShape shape,
      float[] features,
      float[] labels,
      String[] words,
      IdLists ids,
      int[] stepsOrNull,
      int rows,
      String checksum) {
    this.shape = shape;
    this.features = features;
    this.labels = labels;
    this.words = words;
    this.ids = ids;
    this.stepsOrNull = stepsOrNull;
    this.rows = rows;
    this.checksum = checksum;
    this.batch = new float[ROWS_AT_ONCE * shape.features()];
    this.batchLabels = new float[ROWS_AT_ONCE * shape.labels()];
    this.batchStepsOrNull = stepsOrNull == null ? null : new int[ROWS_AT_ONCE];
    this.predictions = new float[ROWS_AT_ONCE * shape.labels()];
  }

  /** Reads the whole sequence, and leaves it open. */
  public static HoldOut read(ExampleSequence sequence) throws IOException {
    return read(sequence, Integer.MAX_VALUE);
  }

  /** Reads the first examples of the sequence, {@code most} at the most, and leaves it open. */
  public static HoldOut read(ExampleSequence sequence, int most) throws IOException {
    ExampleShape shape = sequence.shape();
    Example example = new Example(shape);
    float[] features = new float[0];
    float[] labels = new float[0];
    String[] words = new String[0];
    IdLists ids = new IdLists(shape.columns().ids().size());
    int[] stepsOrNull = shape.structure().isSequence() ? new int[0] : null;
    int rows = 0;
    HoldOutChecksum checksum = new HoldOutChecksum();
    while (rows < most && sequence.next(example)) {
      if (rows * shape.features() == features.length) {
        int capacity = grown(rows, shape);
        features = Arrays.copyOf(features, capacity * shape.features());
        labels = Arrays.copyOf(labels, capacity * shape.labels());
        words = Arrays.copyOf(words, capacity * shape.words());
        stepsOrNull = stepsOrNull == null ? null : Arrays.copyOf(stepsOrNull, capacity);
      }
      System.arraycopy(example.features(), 0, features, rows * shape.features(), shape.features());
      System.arraycopy(example.labels(), 0, labels, rows * shape.labels(), shape.labels());
      System.arraycopy(example.words(), 0, words, rows * shape.words(), shape.words());
      ids.addRow(example.ids(), 0);
      if (stepsOrNull != null) {
        stepsOrNull[rows] = example.steps();
      }
      checksum.add(example);
      rows++;
    }
    return new HoldOut(shape, features, labels, words, ids, stepsOrNull, rows, checksum.value());
  }

  private static int grown(int rows, ExampleShape shape) throws IOException {
    int most =
        (Integer.MAX_VALUE - 8)
            / Math.max(Math.max(shape.features(), shape.labels()), shape.words());
    if (rows >= most) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "The hold-out set has more than %,d examples of %,d features, which is more than can"
                  + " be kept in memory; take a part of it",
              most,
              shape.features()));
    }
    return (int) Math.min(most, Math.max(16, 2L * rows));
  }

  /** Takes rows for ids, which are closed with this; null where examples have none. */
  public HoldOut with(ServedRows rowsOfIdsOrNull) {
    rowsOrNull = rowsOfIdsOrNull;
    return this;
  }

  public int size() {
    return rows;
  }

  public ExampleShape shape() {
    return shape;
  }

  /** Tells this set from others: the same examples have the same one, in any order. */
  public String checksum() {
    return checksum;
  }

  /**
   * Returns why the first example that the last model couldn't compute with was left out; empty
   * where it could with all.
   */
  public Optional<String> unusable() {
    return Optional.ofNullable(unusableOrNull);
  }

  /**
   * Measures a model, of the examples that it can compute with.
   *
   * @param replica receives the model's values; belongs to the calling thread
   */
  public Measures evaluate(GlobalModel model, ModelReplica replica) {
    return evaluate(model.spec(), model.vector(), model.learned(), replica);
  }

  /** Measures what an archive holds, on a replica of its own. */
  public Measures evaluate(InitialModel archived, DeviceRequest device) {
    try (ModelReplica replica =
        ModelEngine.named(archived.spec().engine()).build(archived.spec(), device)) {
      return evaluate(
          archived.spec(),
          archived.vector(),
          archived.learned().orElseGet(() -> LearnedFeatures.none(shape, false)),
          replica);
    }
  }

  private Measures evaluate(
      ModelSpec spec, float[] vector, LearnedFeatures learned, ModelReplica replica) {
    replica.write(0, vector, 0, spec.parameters());
    return evaluate(replica, FeatureCompletion.of(shape, learned));
  }

  /** Measures the model that a replica has, of features that stay as they are. */
  public Measures evaluate(ModelReplica replica) {
    return evaluate(replica, FeatureCompletion.none(shape));
  }

  private Measures evaluate(ModelReplica replica, FeatureCompletion completion) {
    MeasuresSum measures = new MeasuresSum();
    unusableOrNull = null;
    for (int from = 0; from < rows; from += ROWS_AT_ONCE) {
      int n = Math.min(ROWS_AT_ONCE, rows - from);
      System.arraycopy(features, from * shape.features(), batch, 0, n * shape.features());
      System.arraycopy(labels, from * shape.labels(), batchLabels, 0, n * shape.labels());
      if (stepsOrNull != null) {
        System.arraycopy(stepsOrNull, from, batchStepsOrNull, 0, n);
      }
      complete(completion, from, n);
      int left =
          withoutThese(UnusableRows.predict(replica, batch, batchStepsOrNull, n, predictions), n);
      measures.add(shape, predictions, batchLabels, batchStepsOrNull, left);
    }
    return measures.get();
  }

  /** Moves the other rows of labels and predictions to the front; says how many they are. */
  private int withoutThese(SortedMap<Integer, String> unusable, int n) {
    if (unusable.isEmpty()) {
      return n;
    }
    unusableOrNull = unusableOrNull == null ? unusable.get(unusable.firstKey()) : unusableOrNull;
    int left = 0;
    for (int row = 0; row < n; row++) {
      if (!unusable.containsKey(row)) {
        int labels = shape.labels();
        System.arraycopy(predictions, row * labels, predictions, left * labels, labels);
        System.arraycopy(batchLabels, row * labels, batchLabels, left * labels, labels);
        if (batchStepsOrNull != null) {
          batchStepsOrNull[left] = batchStepsOrNull[row];
        }
        left++;
      }
    }
    return left;
  }

  private void complete(FeatureCompletion completion, int from, int n) {
    String[] some = Arrays.copyOfRange(words, from * shape.words(), (from + n) * shape.words());
    int[] steps = stepsOrNull == null ? null : Arrays.copyOfRange(stepsOrNull, from, from + n);
    if (rowsOrNull != null) {
      completeIds(from, n);
    }
    completion.apply(batch, some, steps, n);
  }

  private void completeIds(int from, int n) {
    if (readerOrNull == null) {
      readerOrNull = rowsOrNull.reader(shape);
    }
    IdLists some = new IdLists(ids.fields());
    for (int row = from; row < from + n; row++) {
      some.addRow(ids, row);
    }
    readerOrNull.complete(some, batch);
  }

  @Override
  public void close() {
    if (rowsOrNull != null) {
      rowsOrNull.close();
    }
  }
}
