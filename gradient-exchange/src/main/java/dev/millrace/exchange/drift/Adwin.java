package dev.millrace.exchange.drift;

import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * A window that is as long as its mean stays the same: ADWIN (Bifet and Gavaldà 2007, "Learning
 * from time-changing data with adaptive windowing"). Wherever it can be cut into an older and a
 * newer part whose means differ by more than chance allows, the oldest numbers go. Only a rise is
 * told; a fall shortens the window, too.
 *
 * <p>The window is kept as buckets of 1, 2, 4, … numbers, at most five of a size, so memory and
 * time grow with the logarithm of its length. Every 32nd number is looked at for a cut.
 */
public final class Adwin implements DriftDetector {

  private static final int FORMAT = 1;
  private static final int MOST_OF_A_SIZE = 5;
  private static final int CLOCK = 32;
  private static final int LEAST_PART = 5;

  /**
   * Holds how many numbers there were, their sum, and the sum of squared differences from their
   * mean.
   */
  private record Bucket(long count, double sum, double squares) {

    private Bucket merge(Bucket newer) {
      double difference = sum / count - newer.sum / newer.count;
      long total = count + newer.count;
      return new Bucket(
          total,
          sum + newer.sum,
          squares
              + newer.squares
              + difference * difference * ((double) count * newer.count / total));
    }
  }

  private final double confidence;

  /** The buckets from the oldest to the newest: sizes never grow. */
  private Deque<Bucket> buckets = new ArrayDeque<>();

  private long seen;
  private Bucket all = new Bucket(0, 0, 0);
  private Means means = Means.UNKNOWN;

  /** Whether the newest cut was a rise, or a fall. */
  private boolean rose;

  /**
   * A detector of no numbers.
   *
   * @param confidence how likely a look may cut a window whose mean has not changed: δ of the paper
   */
  public Adwin(double confidence) {
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException(
          "ADWIN's confidence lies between 0 and 1, not " + confidence);
    }
    this.confidence = confidence;
  }

  @Override
  public boolean add(double value) {
    if (addAndCut(value) && rose) {
      // What is left of the window belongs to the new mean: it stays.
      return true;
    }
    return false;
  }

  /** Adds a value as {@link #add} does, and tells of a fall, too. */
  boolean addAndCut(double value) {
    buckets.addLast(new Bucket(1, value, 0));
    all = all.count == 0 ? buckets.getLast() : all.merge(buckets.getLast());
    compress();
    return ++seen % CLOCK == 0 && cut();
  }

  /** Merges the oldest two of each size of which there are too many. */
  private void compress() {
    Deque<Bucket> newer = new ArrayDeque<>();
    long size = 1;
    while (true) {
      int ofSize = 0;
      while (!buckets.isEmpty() && buckets.getLast().count == size) {
        newer.addFirst(buckets.removeLast());
        ofSize++;
      }
      if (ofSize <= MOST_OF_A_SIZE) {
        break;
      }
      Bucket oldest = newer.removeFirst();
      buckets.addLast(oldest.merge(newer.removeFirst()));
      size *= 2;
    }
    buckets.addAll(newer);
  }

  private boolean cut() {
    boolean isCut = false;
    while (looksCut()) {
      isCut = true;
      buckets.removeFirst();
      all = buckets.stream().reduce(Bucket::merge).orElseThrow();
    }
    return isCut;
  }

  private boolean looksCut() {
    Bucket older = null;
    Iterator<Bucket> next = buckets.iterator();
    while (next.hasNext()) {
      Bucket bucket = next.next();
      older = older == null ? bucket : older.merge(bucket);
      long newer = all.count - older.count;
      if (newer < LEAST_PART) {
        return false;
      }
      if (older.count >= LEAST_PART) {
        double before = older.sum / older.count;
        double after = (all.sum - older.sum) / newer;
        if (Math.abs(before - after) > bound(older.count, newer)) {
          means = new Means(before, after);
          rose = after > before;
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns how far the means of two such parts may differ by chance: ε of the paper, its equation
   * 3.1.
   */
  private double bound(long older, long newer) {
    double inverse = 1.0 / (older - LEAST_PART + 1) + 1.0 / (newer - LEAST_PART + 1);
    double log = StrictMath.log(2 * StrictMath.log((double) all.count) / confidence);
    double variance = all.squares / all.count;
    return Math.sqrt(2 * inverse * variance * log) + 2.0 / 3 * inverse * log;
  }

  /** Returns how many numbers the window has. */
  long length() {
    return all.count;
  }

  @Override
  public double before() {
    return means.before();
  }

  @Override
  public double after() {
    return means.after();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    out.writeLong(seen);
    means.write(out);
    out.writeBoolean(rose);
    write(all, out);
    out.writeInt(buckets.size());
    for (Bucket bucket : buckets) {
      write(bucket, out);
    }
  }

  private static void write(Bucket bucket, DataOutput out) throws IOException {
    out.writeLong(bucket.count);
    out.writeDouble(bucket.sum);
    out.writeDouble(bucket.squares);
  }

  @Override
  public void read(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, Adwin.class);
    seen = in.readLong();
    means = Means.read(in);
    rose = in.readBoolean();
    all = readBucket(in);
    buckets = new ArrayDeque<>();
    for (int left = in.readInt(); left > 0; left--) {
      buckets.addLast(readBucket(in));
    }
  }

  private static Bucket readBucket(DataInput in) throws IOException {
    return new Bucket(in.readLong(), in.readDouble(), in.readDouble());
  }
}
