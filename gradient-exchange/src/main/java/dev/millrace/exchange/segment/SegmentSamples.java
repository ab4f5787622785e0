package dev.millrace.exchange.segment;

import dev.millrace.model.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A sample of each segment: of all its examples that came, those of the least priority. So it is
 * drawn evenly over the segment, and is the same in whatever order they come.
 *
 * <p>Of more than {@link #MOST_SEGMENTS} segments those of the least numbers go: the oldest
 * periods.
 *
 * <p>Not thread-safe.
 */
public final class SegmentSamples {

  /** The most segments that are kept. */
  public static final int MOST_SEGMENTS = 1000;

  private static final int FORMAT = 1;

  private static final Comparator<HeldOutExample> BY_PRIORITY =
      Comparator.comparingLong(example -> example.priority() ^ Long.MIN_VALUE);

  private final int size;
  private final SortedMap<Long, PriorityQueue<HeldOutExample>> segments = new TreeMap<>();

  /** By segment, the best that a model did on it so far. */
  private final SortedMap<Long, Double> best = new TreeMap<>();

  /**
   * @param size the most examples of a segment
   */
  public SegmentSamples(int size) {
    this.size = size;
  }

  public void add(HeldOutExample example) {
    PriorityQueue<HeldOutExample> kept =
        segments.computeIfAbsent(
            example.segment(), any -> new PriorityQueue<>(BY_PRIORITY.reversed()));
    kept.add(example);
    if (kept.size() > size) {
      kept.remove();
    }
    if (segments.size() > MOST_SEGMENTS) {
      best.remove(segments.firstKey());
      segments.remove(segments.firstKey());
    }
  }

  /** By segment, its examples, in an order that doesn't depend on how they came. */
  public SortedMap<Long, List<HeldOutExample>> examples() {
    SortedMap<Long, List<HeldOutExample>> all = new TreeMap<>();
    segments.forEach(
        (segment, kept) -> all.put(segment, kept.stream().sorted(BY_PRIORITY).toList()));
    return all;
  }

  /**
   * A model has been measured.
   *
   * @param score of the segment; higher is better
   * @return the best score so far, this one included
   */
  public double note(long segment, double score) {
    return best.merge(segment, score, Math::max);
  }

  /** All of it, in byte strings. */
  public List<byte[]> save() throws IOException {
    List<byte[]> saved = new ArrayList<>();
    for (List<HeldOutExample> kept : examples().values()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(FORMAT);
      long segment = kept.get(0).segment();
      out.writeLong(segment);
      out.writeDouble(best.getOrDefault(segment, Double.NaN));
      out.writeInt(kept.size());
      for (HeldOutExample example : kept) {
        HeldOutExample.WIRE.write(example, out);
      }
      saved.add(bytes.toByteArray());
    }
    return saved;
  }

  /** Adds what was saved, of this sample or of another of the same segments. */
  public void restore(List<byte[]> saved) throws IOException {
    for (byte[] bytes : saved) {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      WireFormat.readVersion(in, FORMAT, SegmentSamples.class);
      long segment = in.readLong();
      double score = in.readDouble();
      if (!Double.isNaN(score)) {
        note(segment, score);
      }
      for (int left = in.readInt(); left > 0; left--) {
        add(HeldOutExample.WIRE.read(in));
      }
    }
  }
}
