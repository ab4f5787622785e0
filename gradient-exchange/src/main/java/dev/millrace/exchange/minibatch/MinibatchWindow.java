package dev.millrace.exchange.minibatch;

import dev.millrace.example.Example;
import dev.millrace.model.IdLists;
import dev.millrace.model.Ledger;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.grow.Places;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.WireFormat;
import dev.millrace.model.shape.ExampleShape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * Collects examples into minibatches that are closed by count or by a maximum wait, whichever comes
 * first. Minibatches are used again; an example costs two array copies.
 *
 * <p>Not thread-safe.
 */
public final class MinibatchWindow {

  private static final int FORMAT = 1;

  /** A weight of zero would be of no example. */
  private static final float NEXT_TO_NOTHING = 1e-12f;

  private final ExampleShape shape;
  private final int size;
  private final int replayed;
  private final boolean timed;
  private final long maxWaitNanos;
  private final Deque<Minibatch> filling = new ArrayDeque<>();
  private final Deque<Minibatch> spare = new ArrayDeque<>();
  private long waitingSince;

  /** Whether the newest minibatch takes no more examples, full or not. */
  private boolean closed;

  /** Examples that are enough for a minibatch: those of a full one, or fewer for a while. */
  private int enough;

  /**
   * @param size examples of a full minibatch
   * @param maxWait how long an example may wait for its minibatch to fill
   */
  public MinibatchWindow(ExampleShape shape, int size, Duration maxWait) {
    this(shape, size, 0, false, maxWait);
  }

  /**
   * @param size examples of a full minibatch
   * @param replayed rows that each minibatch has room for beside these
   * @param timed whether checkpoints keep the time of each minibatch's newest record
   * @param maxWait how long an example may wait for its minibatch to fill
   */
  public MinibatchWindow(
      ExampleShape shape, int size, int replayed, boolean timed, Duration maxWait) {
    this.shape = shape;
    this.size = size;
    this.replayed = replayed;
    this.timed = timed;
    this.maxWaitNanos = maxWait.toNanos();
    this.enough = size;
  }

  /** Copies the example into the newest minibatch. */
  public void add(Example example, long nowNanos) {
    if (filling.isEmpty()) {
      waitingSince = nowNanos;
    }
    Minibatch newest = open();
    newest.add(
        example.features(),
        example.labels(),
        example.words(),
        example.ids(),
        example.steps(),
        example.weight(),
        example.partition(),
        example.offset());
    if (example.timestamp() != Example.NO_TIMESTAMP) {
      newest.noteTime(example.timestamp());
    }
  }

  /** Examples of a full minibatch. */
  public int size() {
    return size;
  }

  /** Closes minibatches by so many examples from now on; at most as many as a full one has. */
  public void close(int examples) {
    enough = Math.min(size, examples);
  }

  public boolean isEmpty() {
    return filling.isEmpty();
  }

  /** Whether the oldest minibatch has been closed, maybe by fewer examples than close one now. */
  public boolean hasFull() {
    return full() > 0;
  }

  /** Returns how many minibatches have been closed. */
  public int full() {
    return isOpen() ? filling.size() - 1 : filling.size();
  }

  /** Whether there is a minibatch that takes more examples. */
  private boolean isOpen() {
    return !closed && !filling.isEmpty() && filling.peekLast().fresh() < enough;
  }

  /** Closes the minibatch that is being filled, if there is one: it takes no more examples. */
  public void close() {
    closed = !filling.isEmpty();
  }

  /** Has those that are full stay closed, however many examples close one from now on. */
  public void keepFull() {
    closed = !filling.isEmpty() && !isOpen();
  }

  /** Returns the closed minibatches, the oldest first, and behind them what is being filled. */
  public Iterable<Minibatch> waiting() {
    return filling;
  }

  /** Whether the oldest minibatch has waited for its maximum, full or not. */
  public boolean isOverdue(long nowNanos) {
    return !filling.isEmpty() && nowNanos - waitingSince >= maxWaitNanos;
  }

  /** The oldest minibatch, full or not; to be {@linkplain #recycle recycled} after use. */
  public Minibatch take(long nowNanos) {
    waitingSince = nowNanos;
    Minibatch oldest = filling.removeFirst();
    closed &= !filling.isEmpty();
    return oldest;
  }

  public void recycle(Minibatch minibatch) {
    minibatch.clear();
    spare.add(minibatch);
  }

  private Minibatch open() {
    if (isOpen()) {
      return filling.peekLast();
    }
    Minibatch newest = spare.isEmpty() ? new Minibatch(shape, size, replayed) : spare.removeFirst();
    filling.add(newest);
    closed = false;
    return newest;
  }

  /** All examples that wait, one byte string a minibatch. */
  public List<byte[]> save() throws IOException {
    List<byte[]> saved = new ArrayList<>();
    for (Minibatch minibatch : filling) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      write(minibatch, new DataOutputStream(bytes));
      saved.add(bytes.toByteArray());
    }
    return saved;
  }

  /**
   * Adds examples that were saved, of this window or of others.
   *
   * @throws InvalidModelException if they are of another shape
   */
  public void restore(List<byte[]> saved, long nowNanos) throws IOException {
    waitingSince = nowNanos;
    for (byte[] bytes : saved) {
      read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }
  }

  /**
   * The records of examples that were saved.
   *
   * @param saved one byte string of those that {@link #save} gave
   */
  public static Ledger records(byte[] saved) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
    int rows = readToIds(in);
    IdLists.read(in);
    in.skipNBytes((long) rows * Integer.BYTES);
    Ledger records = new Ledger();
    for (int row = 0; row < rows; row++) {
      records.learned(Partition.read(in), in.readLong());
    }
    return records;
  }

  /**
   * Returns the ids of saved examples.
   *
   * @param saved one byte string of those that {@link #save} gave
   */
  public static IdLists ids(byte[] saved) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
    readToIds(in);
    return IdLists.read(in);
  }

  /** Passes over what stands before the ids. Returns the number of examples. */
  private static int readToIds(DataInputStream in) throws IOException {
    WireFormat.readVersion(in, FORMAT, MinibatchWindow.class);
    in.readLong();
    int rows = in.readInt();
    in.readInt();
    in.readInt();
    BulkArrays.readFloats(in);
    BulkArrays.readFloats(in);
    BulkArrays.readFloats(in);
    SavedWords.read(in);
    return rows;
  }

  /**
   * Moves saved examples to the shape of a model that has grown. Where its outputs are others
   * altogether, they count, and weigh next to nothing.
   *
   * @param saved one byte string of those that {@link #save} gave
   */
  public static byte[] grown(byte[] saved, Places places) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    WireFormat.readVersion(in, FORMAT, MinibatchWindow.class);
    out.writeByte(FORMAT);
    out.writeLong(in.readLong());
    int rows = in.readInt();
    out.writeInt(rows);
    in.skipNBytes(2L * Integer.BYTES);
    out.writeInt(places.shape().features());
    out.writeInt(places.shape().outputs());
    BulkArrays.writeFloats(out, places.features(BulkArrays.readFloats(in), rows));
    BulkArrays.writeFloats(out, places.labels(BulkArrays.readFloats(in), rows));
    float[] weights = BulkArrays.readFloats(in);
    if (places.replaces()) {
      Arrays.fill(weights, NEXT_TO_NOTHING);
    }
    BulkArrays.writeFloats(out, weights);
    String[] words = places.words(SavedWords.read(in), rows);
    SavedWords.write(out, words, words.length);
    in.transferTo(out);
    return bytes.toByteArray();
  }

  /** Tells which records are meant. */
  @FunctionalInterface
  public interface Records {

    boolean contain(Partition partition, long offset);
  }

  /**
   * Takes records out of examples that were saved, of this window or of others.
   *
   * @return what is left
   * @throws InvalidModelException if they are of another shape
   */
  public List<byte[]> without(Records records, List<byte[]> saved) throws IOException {
    List<byte[]> left = new ArrayList<>();
    for (byte[] bytes : saved) {
      MinibatchWindow one = new MinibatchWindow(shape, size, 0, timed, Duration.ZERO);
      one.restore(List.of(bytes), 0);
      one.filling.forEach(minibatch -> takeOut(records, minibatch));
      one.filling.removeIf(Minibatch::isEmpty);
      left.addAll(one.save());
    }
    return left;
  }

  private static void takeOut(Records records, Minibatch minibatch) {
    BitSet rows = new BitSet();
    for (int row = 0; row < minibatch.fresh(); row++) {
      rows.set(row, records.contain(minibatch.partition(row), minibatch.offset(row)));
    }
    minibatch.remove(rows);
  }

  private void write(Minibatch minibatch, DataOutputStream out) throws IOException {
    int rows = minibatch.fresh();
    out.writeByte(FORMAT);
    out.writeLong(timed ? minibatch.newestTime() : Minibatch.NO_TIME);
    out.writeInt(rows);
    out.writeInt(minibatch.shape().features());
    out.writeInt(minibatch.shape().outputs());
    BulkArrays.writeFloats(out, minibatch.features(), rows * minibatch.shape().features());
    BulkArrays.writeFloats(out, minibatch.labels(), rows * minibatch.shape().labels());
    BulkArrays.writeFloats(out, minibatch.weights(), rows);
    SavedWords.write(out, minibatch.words(), rows * minibatch.shape().words());
    minibatch.ids().write(out, rows);
    for (int row = 0; row < rows; row++) {
      out.writeInt(minibatch.steps(row));
    }
    for (int row = 0; row < rows; row++) {
      minibatch.partition(row).write(out);
      out.writeLong(minibatch.offset(row));
    }
  }

  private void read(DataInputStream in) throws IOException {
    WireFormat.readVersion(in, FORMAT, MinibatchWindow.class);
    long time = in.readLong();
    int rows = in.readInt();
    int features = in.readInt();
    int outputs = in.readInt();
    if (features != shape.features() || outputs != shape.outputs()) {
      throw new InvalidModelException(
          ("The checkpoint's examples have %s features and %s outputs, this job's %s and %s; submit"
                  + " with those that it was made with")
              .formatted(features, outputs, shape.features(), shape.outputs()));
    }
    float[] allFeatures = BulkArrays.readFloats(in);
    float[] allLabels = BulkArrays.readFloats(in);
    float[] weights = BulkArrays.readFloats(in);
    String[] words = SavedWords.read(in);
    IdLists ids = IdLists.read(in);
    int[] steps = new int[rows];
    for (int row = 0; row < rows; row++) {
      steps[row] = in.readInt();
    }
    int labels = shape.labels();
    requireArranged(rows, allLabels.length, words.length, ids, steps);
    for (int row = 0; row < rows; row++) {
      IdLists own = new IdLists(ids.fields());
      own.addRow(ids, row);
      Minibatch newest = open();
      newest.add(
          Arrays.copyOfRange(allFeatures, row * features, (row + 1) * features),
          Arrays.copyOfRange(allLabels, row * labels, (row + 1) * labels),
          Arrays.copyOfRange(words, row * shape.words(), (row + 1) * shape.words()),
          own,
          steps[row],
          weights[row],
          Partition.read(in),
          in.readLong());
      if (time != Minibatch.NO_TIME) {
        newest.noteTime(time);
      }
    }
  }

  /** Features and outputs are as many: they may still be arranged in another way. */
  private void requireArranged(int rows, int labels, int words, IdLists ids, int[] steps) {
    if (labels != rows * shape.labels() || words != rows * shape.words()) {
      throw new InvalidModelException(
          ("The checkpoint's examples have %s labels and %s words each, this job's %s and %s;"
                  + " submit with the fields, and the kind of labels of sequences, that it was made"
                  + " with")
              .formatted(labels / rows, words / rows, shape.labels(), shape.words()));
    }
    if (ids.fields() != shape.columns().ids().size()) {
      throw new InvalidModelException(
          ("The checkpoint's examples have %s fields of ids, this job's %s; submit with the fields"
                  + " that it was made with")
              .formatted(ids.fields(), shape.columns().ids().size()));
    }
    int most = shape.structure().steps();
    for (int step : steps) {
      if (step > most || (step < 1 && shape.structure().isSequence())) {
        throw new InvalidModelException(
            ("The checkpoint's examples have sequences of %s steps, this job's at most %s; submit"
                    + " with the number of steps that it was made with")
                .formatted(step, most));
      }
    }
  }
}
