package dev.millrace.exchange;

import dev.millrace.exchange.replica.Replica;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.shape.WordColumn;
import java.util.List;

/**
 * The records of a {@link Simulation}: each partition has as many, and some are rejected. Those of
 * named fields have a word, whose number is the first feature, and a number that may be missing.
 */
final class SimulatedInput {

  private static final Partition[] PARTITIONS = new Partition[4];

  static {
    for (int i = 0; i < PARTITIONS.length; i++) {
      PARTITIONS[i] = new Partition("t", i);
    }
  }

  private final long recordsPerPartition;
  private final ExampleShape shape;
  private long[] positions = new long[PARTITIONS.length];

  SimulatedInput(long recordsPerPartition) {
    this(recordsPerPartition, new ExampleShape(1, 1, Target.REGRESSION));
  }

  private SimulatedInput(long recordsPerPartition, ExampleShape shape) {
    this.recordsPerPartition = recordsPerPartition;
    this.shape = shape;
  }

  /** Records of named fields. */
  static SimulatedInput ofFields(long recordsPerPartition, int vocabulary) {
    FeatureColumns columns =
        new FeatureColumns(
            "{\"fields\":[{\"path\":\"word\"},{\"path\":\"number\"}]}",
            List.of(new IndexRange(1, 2)),
            List.of(new WordColumn("word", vocabulary, 0, false)),
            List.of());
    return new SimulatedInput(
        recordsPerPartition,
        new ExampleShape(2, 1, Target.REGRESSION, columns, ExampleStructure.FLAT));
  }

  ExampleShape shape() {
    return shape;
  }

  boolean hasFields() {
    return !shape.columns().isPlain();
  }

  /** Half of the records share few words; null where there is none. */
  static String word(int partition, long offset) {
    long mixed = ((partition * 31L + offset) * 2_654_435_761L) >>> 7;
    return offset % 11 == 3 ? null : "w" + mixed % (offset % 2 == 0 ? 5 : 40);
  }

  static boolean isRejected(long offset) {
    return offset % 13 == 5;
  }

  static Partition[] partitions() {
    return PARTITIONS.clone();
  }

  static float value(int partition, long offset) {
    return 1 + (partition * 31L + offset * 7) % 10;
  }

  /** Fills a minibatch from the partitions of a replica, which hears of what is rejected. */
  void read(Minibatch minibatch, Replica replica, int index, int replicas) {
    for (int p = index; p < PARTITIONS.length; p += replicas) {
      while (!minibatch.isFull() && positions[p] < recordsPerPartition) {
        long offset = positions[p]++;
        if (isRejected(offset)) {
          replica.reject(PARTITIONS[p], offset);
        } else if (hasFields()) {
          float number = offset % 7 == 2 ? Float.NaN : value(p, offset);
          minibatch.add(
              new float[] {0, number},
              new float[1],
              new String[] {word(p, offset)},
              0,
              1,
              PARTITIONS[p],
              offset);
        } else {
          minibatch.add(new float[] {value(p, offset)}, new float[1], 1, PARTITIONS[p], offset);
        }
      }
    }
  }

  long[] positions() {
    return positions.clone();
  }

  void seek(long[] to) {
    positions = to.clone();
  }
}
