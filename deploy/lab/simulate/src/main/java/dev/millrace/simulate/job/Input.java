package dev.millrace.simulate.job;

import dev.millrace.model.Partition;
import dev.millrace.simulate.time.Chance;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of a run, by partition. They arrive at a rate, with breaks in between, and some are
 * no examples.
 */
public final class Input {

  /** What a run calls its topic. */
  public static final String TOPIC = "t";

  private static final long SECOND = 1_000_000;
  private static final long SHORTEST_BREAK = 10 * SECOND;

  private static final long PLACES = 1L << 32;

  private final boolean uneven;
  private final boolean stream;
  private final int mostParked;
  private final long[] counts;
  private final long[] intervals;
  private final long[][] breaks;
  private long brokenUntil;

  private Input(
      boolean uneven,
      boolean stream,
      int mostParked,
      long[] counts,
      long[] intervals,
      long[][] breaks) {
    this.uneven = uneven;
    this.stream = stream;
    this.mostParked = mostParked;
    this.counts = counts;
    this.intervals = intervals;
    this.breaks = breaks;
  }

  /** Draws one. */
  public static Input draw(Chance chance, long mostRecords) {
    Chance ofUneven = chance.at("uneven");
    return ofUneven.says(0.08) ? uneven(ofUneven) : any(chance, mostRecords);
  }

  private static Input uneven(Chance chance) {
    int partitions = 3 + chance.below(4);
    long[] counts = new long[partitions];
    long[] intervals = new long[partitions];
    long[][] breaks = new long[partitions][];
    for (int p = 0; p < partitions; p++) {
      counts[p] = p == 0 ? chance.between(50, 100) : chance.between(600, 1_200);
      intervals[p] = chance.anyScale(SECOND / 100, SECOND / 10);
      breaks[p] = new long[(int) counts[p]];
    }
    return new Input(true, false, 0, counts, intervals, breaks);
  }

  private static Input any(Chance chance, long mostRecords) {
    int partitions = 1 + chance.below(6);
    long[] counts = new long[partitions];
    long[] intervals = new long[partitions];
    long[][] breaks = new long[partitions][];
    for (int p = 0; p < partitions; p++) {
      // Some end long before the others.
      counts[p] =
          chance.says(0.25)
              ? chance.between(mostRecords / 40, mostRecords / 4)
              : chance.between(mostRecords / 4, mostRecords);
      intervals[p] = chance.anyScale(SECOND / 100, SECOND);
      breaks[p] = new long[(int) counts[p]];
      for (int k = 0; k < chance.below(4); k++) {
        breaks[p][chance.below((int) counts[p])] = chance.anyScale(SHORTEST_BREAK, 3_600 * SECOND);
      }
      for (int offset = 1; offset < counts[p]; offset++) {
        breaks[p][offset] += breaks[p][offset - 1];
      }
    }
    boolean stream = chance.says(0.35);
    int mostParked = chance.says(0.3) ? chance.below(20) : 1_000_000;
    return new Input(false, stream, mostParked, counts, intervals, breaks);
  }

  /** Whether records come by a stream of a program, and not from Kafka. */
  public boolean isStream() {
    return stream;
  }

  /** Returns how many records of a stream a subtask parks before the stream waits. */
  int mostParked() {
    return mostParked;
  }

  /** Returns a record of a stream. */
  static long record(int partition, long offset) {
    return partition * PLACES + offset;
  }

  /** Returns the partition that a record of a stream is of. */
  static int partitionOf(long record) {
    return (int) (record / PLACES);
  }

  /** Returns the place of a record of a stream. */
  static long offsetOf(long record) {
    return record % PLACES;
  }

  /** Returns how many partitions there are. */
  public int partitions() {
    return counts.length;
  }

  public static Partition partition(int number) {
    return new Partition(TOPIC, number);
  }

  /** Returns how many records a partition has. */
  public long count(int partition) {
    return counts[partition];
  }

  /** Whether the first partition ends long before the others, and these go on without breaks. */
  boolean isUneven() {
    return uneven;
  }

  /** Returns when a record is there. */
  long arrives(int partition, long offset) {
    return Math.max(brokenUntil, offset * intervals[partition] + breaks[partition][(int) offset]);
  }

  /** Returns when the last record is there, if nothing breaks. */
  public long lastArrival() {
    long last = 0;
    for (int p = 0; p < counts.length; p++) {
      last = Math.max(last, arrives(p, counts[p] - 1));
    }
    return last;
  }

  /** Nothing can be read before that time. */
  public void breakUntil(long time) {
    brokenUntil = time;
  }

  /** Whether a record is no example. */
  public static boolean isRejected(long offset) {
    return offset % 13 == 5;
  }

  /** Returns the feature of a record. */
  public static float value(int partition, long offset) {
    return 1 + (partition * 31L + offset * 7) % 10;
  }

  /** Returns how many records are examples. */
  public long examples() {
    long sum = 0;
    for (long count : counts) {
      for (long offset = 0; offset < count; offset++) {
        sum += isRejected(offset) ? 0 : 1;
      }
    }
    return sum;
  }

  /** Returns the sum of the features of all examples. */
  public double values() {
    double sum = 0;
    for (int p = 0; p < counts.length; p++) {
      for (long offset = 0; offset < counts[p]; offset++) {
        sum += isRejected(offset) ? 0 : value(p, offset);
      }
    }
    return sum;
  }

  /** Returns how many records there are. */
  public long records() {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }

  /** Returns the splits of a job that begins: partition and offset 0, dealt in turn. */
  List<List<long[]>> splits(int subtasks) {
    List<List<long[]>> dealt = new ArrayList<>();
    for (int subtask = 0; subtask < subtasks; subtask++) {
      List<long[]> own = new ArrayList<>();
      for (int p = subtask; p < counts.length; p += subtasks) {
        own.add(new long[] {p, 0});
      }
      dealt.add(own);
    }
    return dealt;
  }
}
