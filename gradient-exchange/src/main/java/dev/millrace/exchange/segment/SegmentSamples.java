package dev.millrace.exchange.segment;

import dev.millrace.model.io.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

  private static final Logger LOG = LoggerFactory.getLogger(SegmentSamples.class);

  private static final Comparator<HeldOutExample> BY_PRIORITY =
      Comparator.comparingLong(example -> example.priority() ^ Long.MIN_VALUE);

  private final SegmentRule rule;
  private final SortedMap<Long, PriorityQueue<HeldOutExample>> segments = new TreeMap<>();

  /** The best that a model did on each segment so far. */
  private final SortedMap<Long, Double> best = new TreeMap<>();

  /** {@code rule} says what a segment is, and how many examples of one are kept. */
  public SegmentSamples(SegmentRule rule) {
    this.rule = rule;
  }

  public void add(HeldOutExample example) {
    PriorityQueue<HeldOutExample> kept =
        segments.computeIfAbsent(
            example.segment(), any -> new PriorityQueue<>(BY_PRIORITY.reversed()));
    kept.add(example);
    if (kept.size() > rule.size()) {
      kept.remove();
    }
    if (segments.size() > MOST_SEGMENTS) {
      best.remove(segments.firstKey());
      segments.remove(segments.firstKey());
    }
  }

  /** Returns the examples of each segment, in an order that doesn't depend on how they came. */
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

  /** All of it as it is now, segment by segment. */
  public List<Saved> save() {
    List<Saved> saved = new ArrayList<>();
    examples()
        .forEach(
            (segment, kept) ->
                saved.add(new Saved(rule, segment, best.getOrDefault(segment, Double.NaN), kept)));
    return saved;
  }

  /**
   * A segment in a checkpoint. Never changes.
   *
   * @param best score so far; NaN where there is none
   */
  public record Saved(SegmentRule rule, long segment, double best, List<HeldOutExample> examples) {

    /** Writes it, for {@link #restore}. */
    public void write(DataOutput out) throws IOException {
      out.writeByte(FORMAT);
      out.writeUTF(rule.kind().name());
      out.writeLong(rule.period());
      out.writeLong(segment);
      out.writeDouble(best);
      out.writeInt(examples.size());
      for (HeldOutExample example : examples) {
        HeldOutExample.WIRE.write(example, out);
      }
    }
  }

  /**
   * Adds what was saved, of this sample or of another of the same segments. What is of other
   * segments is left out, and logged.
   */
  public void restore(List<byte[]> saved) throws IOException {
    int left = 0;
    for (byte[] bytes : saved) {
      left += restore(new DataInputStream(new ByteArrayInputStream(bytes))) ? 0 : 1;
    }
    if (left > 0) {
      LOG.warn(
          "The checkpoint's samples of {} segments are of another kind or period, and are left out:"
              + " samples by {} begin now",
          left,
          rule.kind());
    }
  }

  private boolean restore(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, SegmentSamples.class);
    if (!isOfRule(in.readUTF(), in.readLong())) {
      return false;
    }
    long segment = in.readLong();
    double score = in.readDouble();
    if (!Double.isNaN(score)) {
      note(segment, score);
    }
    for (int left = in.readInt(); left > 0; left--) {
      add(HeldOutExample.WIRE.read(in));
    }
    return true;
  }

  private boolean isOfRule(String kind, long period) {
    return kind.equals(rule.kind().name())
        && (rule.kind() != SegmentRule.Kind.PERIOD || period == rule.period());
  }
}
