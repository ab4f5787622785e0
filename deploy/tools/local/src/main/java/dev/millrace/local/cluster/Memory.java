package dev.millrace.local.cluster;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;

/**
 * The memory of a TaskManager, from the size of the model that it trains: the formula that the
 * shipped configuration of Flink tells, too.
 *
 * @param values parameters and updater state of the model
 * @param slots replicas in the TaskManager
 * @param replicas of the whole job, at most
 */
record Memory(long values, int slots, int replicas) {

  private static final MemorySize SEGMENT = MemorySize.parse("128kb");
  private static final MemorySize LEAST_NETWORK = MemorySize.ofMebiBytes(64);
  private static final MemorySize OWN = MemorySize.ofMebiBytes(192);

  /** Native: the library, and of each replica what its layers compute with. */
  private static final MemorySize WORKSPACE = MemorySize.ofMebiBytes(48);

  /**
   * Vectors of the model's length on the heap, for each replica: its anchor, a contribution under
   * way, and its share of the exchange's blocks, of what waits there, and of what goes back. That
   * is five, and as many again for schedules and codecs that leave something out, and for rescales.
   */
  private static final int VECTORS_ON_HEAP = 10;

  /** Vectors outside of it: parameters, updater state, gradients, and copies of them. */
  private static final int VECTORS_OFF_HEAP = 6;

  private static final double MEBIBYTE = 1 << 20;

  void applyTo(Configuration flink) {
    flink.set(TaskManagerOptions.NUM_TASK_SLOTS, slots);
    flink.set(TaskManagerOptions.TASK_HEAP_MEMORY, taskHeap());
    flink.set(TaskManagerOptions.TASK_OFF_HEAP_MEMORY, taskOffHeap());
    flink.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network());
    flink.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network());
  }

  MemorySize taskHeap() {
    return whole(OWN.add(vector().multiply((double) VECTORS_ON_HEAP * slots)));
  }

  MemorySize taskOffHeap() {
    return whole(OWN.add(vector().multiply(VECTORS_OFF_HEAP).add(WORKSPACE).multiply(slots)));
  }

  /** Each replica has channels to and from every part of the exchange, with a few segments each. */
  MemorySize network() {
    MemorySize needed = SEGMENT.multiply(slots * (9.0 * replicas + 40));
    return whole(needed.compareTo(LEAST_NETWORK) > 0 ? needed : LEAST_NETWORK);
  }

  private MemorySize vector() {
    return new MemorySize(Float.BYTES * values);
  }

  private static MemorySize whole(MemorySize size) {
    return MemorySize.ofMebiBytes((long) Math.ceil(size.getBytes() / MEBIBYTE));
  }
}
