package dev.millrace.exchange;

import dev.millrace.exchange.replica.Replica;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;

/** The records of a {@link Simulation}: each partition has as many, and some are rejected. */
final class SimulatedInput {

  private static final Partition[] PARTITIONS = new Partition[4];

  static {
    for (int i = 0; i < PARTITIONS.length; i++) {
      PARTITIONS[i] = new Partition("t", i);
    }
  }

  private final long recordsPerPartition;
  private long[] positions = new long[PARTITIONS.length];

  SimulatedInput(long recordsPerPartition) {
    this.recordsPerPartition = recordsPerPartition;
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
        if (offset % 13 == 5) {
          replica.reject(PARTITIONS[p], offset);
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
