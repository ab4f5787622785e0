package dev.millrace.exchange.segment;

import dev.millrace.example.Example;
import dev.millrace.model.IdLists;
import dev.millrace.model.Measures;
import dev.millrace.model.Partition;
import java.io.Serializable;

/**
 * Which records of the stream are held out of training, and which segment each belongs to. A
 * record's place alone decides, so that it has the same fate after each restart, on each replica.
 *
 * @param kind of segments
 * @param share of the records that is held out
 * @param period records of a partition that make up a period
 * @param size the most examples kept of a segment
 */
public record SegmentRule(Kind kind, double share, long period, int size) implements Serializable {

  /** What a segment is. */
  public enum Kind {
    /** Nothing is held out. */
    NONE,
    /** The examples of one class. */
    CLASS,
    /** A segment is so many records of a partition, one after the other. */
    PERIOD
  }

  /** Nothing is held out. */
  public static final SegmentRule NONE = new SegmentRule(Kind.NONE, 0, 1, 1);

  public SegmentRule {
    if (share < 0 || share >= 1 || period < 1 || size < 1) {
      throw new IllegalArgumentException(
          "No segments of the share %s, %s records and %s examples".formatted(share, period, size));
    }
  }

  /** Whether any record is held out. */
  public boolean isOn() {
    return kind != Kind.NONE;
  }

  /** Whether a record is held out. */
  public boolean holdsOut(Partition partition, long offset) {
    return isOn() && (priority(partition, offset) >>> 11) * 0x1p-53 < share;
  }

  /** Returns what is kept of an example that is held out. */
  public HeldOutExample keep(Example example) {
    IdLists ids = new IdLists(example.ids().fields());
    ids.set(example.ids());
    return new HeldOutExample(
        segment(example),
        priority(example.partition(), example.offset()),
        example.features().clone(),
        example.labels().clone(),
        example.words().clone(),
        ids,
        example.steps());
  }

  private long segment(Example example) {
    return kind == Kind.PERIOD
        ? example.offset() / period
        : Measures.greatest(example.labels(), 0, example.shape().measured().outputs());
  }

  /**
   * A number that looks drawn, and is always the same for a record: the mixer of SplitMix64 (Steele
   * et al. 2014) over its place.
   */
  static long priority(Partition partition, long offset) {
    long place = partition.topic().hashCode() * 0x9E3779B97F4A7C15L + partition.number();
    return mix(mix(place) + offset);
  }

  private static long mix(long value) {
    long mixed = value + 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
