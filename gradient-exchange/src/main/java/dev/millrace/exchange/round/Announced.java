package dev.millrace.exchange.round;

import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.model.Ledger;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Contributions that are on their way to the blocks, and in no round yet: those of each replica in
 * their order.
 *
 * <p>Not thread-safe.
 */
final class Announced {

  /**
   * A contribution that is in no round yet.
   *
   * @param generation in which it was announced
   */
  record Waiting(Announcement announcement, long generation) {}

  private final Map<Integer, Deque<Waiting>> waiting = new TreeMap<>();

  /** The keys of {@link #waiting}. */
  private final BitSet open = new BitSet();

  void add(Announcement announcement, long generation) {
    waiting
        .computeIfAbsent(announcement.replica(), any -> new ArrayDeque<>())
        .add(new Waiting(announcement, generation));
    open.set(announcement.replica());
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Returns how many replicas have announced. */
  int replicas() {
    return waiting.size();
  }

  /** The replicas that have announced; live. */
  BitSet open() {
    return open;
  }

  /** Takes out the oldest of each replica, in the order of their numbers. */
  List<Waiting> takeOldest() {
    List<Waiting> oldest = new ArrayList<>();
    for (var queue = waiting.entrySet().iterator(); queue.hasNext(); ) {
      Deque<Waiting> ofReplica = queue.next().getValue();
      Waiting next = ofReplica.removeFirst();
      if (ofReplica.isEmpty()) {
        queue.remove();
        open.clear(next.announcement().replica());
      }
      oldest.add(next);
    }
    return oldest;
  }

  /** All of them. */
  List<Announcement> all() {
    return waiting().stream().map(Waiting::announcement).toList();
  }

  /** All of them, with their generations. */
  List<Waiting> waiting() {
    return waiting.values().stream().flatMap(Deque::stream).toList();
  }

  /** Their records. */
  Ledger records() {
    Ledger records = new Ledger();
    all().forEach(announcement -> records.merge(announcement.metadata().ledger()));
    return records;
  }

  void write(DataOutput out) throws IOException {
    List<Waiting> all = waiting();
    out.writeInt(all.size());
    for (Waiting one : all) {
      CoordinatorMessage.WIRE.write(one.announcement(), out);
      out.writeLong(one.generation());
    }
  }

  static Announced read(DataInput in) throws IOException {
    Announced announced = new Announced();
    for (int left = in.readInt(); left > 0; left--) {
      announced.add((Announcement) CoordinatorMessage.WIRE.read(in), in.readLong());
    }
    return announced;
  }
}
