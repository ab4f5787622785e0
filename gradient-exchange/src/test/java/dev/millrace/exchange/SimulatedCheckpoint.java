package dev.millrace.exchange;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A consistent cut through a {@link Simulation}.
 *
 * @param gathered what waits in each gatherer; empty where there are none
 */
record SimulatedCheckpoint(
    List<byte[]> replicas,
    byte[] coordinator,
    List<byte[]> blocks,
    List<List<byte[]>> gathered,
    long[] positions) {

  /** What a subtask gets of a saved list, as Flink deals it: in runs, the first ones one more. */
  static List<DataInputStream> dealt(List<byte[]> saved, int subtask, int subtasks) {
    List<DataInputStream> mine = new ArrayList<>();
    for (int i = 0; i < saved.size(); i++) {
      if (owner(i, saved.size(), subtasks) == subtask) {
        mine.add(new DataInputStream(new ByteArrayInputStream(saved.get(i))));
      }
    }
    return mine;
  }

  /** What each subtask gets of strings of which a new one has another's. */
  static DataInputStream copy(List<byte[]> saved, int subtask) {
    return new DataInputStream(new ByteArrayInputStream(saved.get(subtask % saved.size())));
  }

  /** The same of lists with any number of items: where the parallelism stays, each has its own. */
  static List<byte[]> dealtParts(List<List<byte[]>> saved, int subtask, int subtasks) {
    if (saved.size() == subtasks) {
      return saved.get(subtask);
    }
    List<byte[]> all = saved.stream().flatMap(List::stream).toList();
    return IntStream.range(0, all.size())
        .filter(item -> owner(item, all.size(), subtasks) == subtask)
        .mapToObj(all::get)
        .toList();
  }

  private static int owner(int item, int items, int subtasks) {
    int base = items / subtasks;
    int rest = items % subtasks;
    int inFront = rest * (base + 1);
    return item < inFront ? item / (base + 1) : rest + (item - inFront) / Math.max(base, 1);
  }
}
