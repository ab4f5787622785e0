package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;

/**
 * What each replica is to the open round. Sets of bits, so that a question about a thousand
 * replicas takes a few operations.
 *
 * <p>Not thread-safe.
 */
final class ReplicaStatuses {

  /** What a replica is. */
  enum Status {
    /** It learns, and is waited for. */
    ACTIVE,
    /** It has said that it has no examples. */
    IDLE,
    /** A round was made without it. */
    LATE,
    /** Its input has ended. */
    DONE
  }

  private final Map<Status, BitSet> replicas = new EnumMap<>(Status.class);

  /** No replica is known. */
  ReplicaStatuses() {
    for (Status status : Status.values()) {
      replicas.put(status, new BitSet());
    }
  }

  void set(int replica, Status status) {
    replicas.values().forEach(any -> any.clear(replica));
    replicas.get(status).set(replica);
  }

  boolean is(int replica, Status status) {
    return replicas.get(status).get(replica);
  }

  /** Whether it isn't waited for until it announces again. */
  boolean isAway(int replica) {
    return is(replica, Status.IDLE) || is(replica, Status.LATE);
  }

  boolean isKnown(int replica) {
    return replicas.values().stream().anyMatch(any -> any.get(replica));
  }

  /** Replicas from this one on are no more. */
  void forgetFrom(int first) {
    replicas.values().forEach(any -> any.clear(first, Math.max(first, any.length())));
  }

  int count(Status status) {
    return replicas.get(status).cardinality();
  }

  /** The caller's own. */
  BitSet of(Status status) {
    return (BitSet) replicas.get(status).clone();
  }

  /** Returns the replicas of whatever status; the set is the caller's own. */
  BitSet known() {
    BitSet known = new BitSet();
    replicas.values().forEach(known::or);
    return known;
  }

  /** The active ones that aren't among {@code others}; the caller's own. */
  BitSet activeWithout(BitSet others) {
    BitSet rest = of(Status.ACTIVE);
    rest.andNot(others);
    return rest;
  }

  private Status status(int replica) {
    return replicas.entrySet().stream()
        .filter(entry -> entry.getValue().get(replica))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  void write(DataOutput out) throws IOException {
    BitSet known = known();
    out.writeInt(known.cardinality());
    for (int replica = known.nextSetBit(0); replica >= 0; replica = known.nextSetBit(replica + 1)) {
      out.writeInt(replica);
      out.writeUTF(status(replica).name());
    }
  }

  static ReplicaStatuses read(DataInput in) throws IOException {
    ReplicaStatuses statuses = new ReplicaStatuses();
    for (int left = in.readInt(); left > 0; left--) {
      statuses.set(in.readInt(), Status.valueOf(in.readUTF()));
    }
    return statuses;
  }
}
