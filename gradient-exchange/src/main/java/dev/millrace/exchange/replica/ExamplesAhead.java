package dev.millrace.exchange.replica;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many examples the whole job has learned that the global model, as a replica knows it, lacks:
 * its own, and as many of each other replica.
 *
 * @param since its last contribution
 * @param underWay before each of its contributions that the global model lacks, by their sequence
 */
record ExamplesAhead(long since, SortedMap<Long, Long> underWay) {

  static final ExamplesAhead NONE = new ExamplesAhead(0, new TreeMap<>());

  long total() {
    long total = since;
    for (long examples : underWay.values()) {
      total += examples;
    }
    return total;
  }

  ExamplesAhead plus(long examples) {
    return new ExamplesAhead(since + examples, underWay);
  }

  ExamplesAhead contributed(long sequence) {
    SortedMap<Long, Long> more = new TreeMap<>(underWay);
    more.put(sequence, since);
    return new ExamplesAhead(0, more);
  }

  ExamplesAhead refused() {
    return new ExamplesAhead(0, underWay);
  }

  /** Leaves out contributions up to that one, which the global model has. */
  ExamplesAhead without(long included) {
    return underWay.isEmpty() || underWay.firstKey() > included
        ? this
        : new ExamplesAhead(since, new TreeMap<>(underWay.tailMap(included + 1)));
  }

  /**
   * Adds what another replica has yet to contribute: each has counted the examples of all, so the
   * greater count is that of both. The other's contributions under way are known by its number.
   */
  ExamplesAhead absorb(ExamplesAhead other) {
    return new ExamplesAhead(Math.max(since, other.since), underWay);
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(since);
    out.writeInt(underWay.size());
    for (Map.Entry<Long, Long> contribution : underWay.entrySet()) {
      out.writeLong(contribution.getKey());
      out.writeLong(contribution.getValue());
    }
  }

  static ExamplesAhead read(DataInput in) throws IOException {
    long since = in.readLong();
    SortedMap<Long, Long> underWay = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      underWay.put(in.readLong(), in.readLong());
    }
    return new ExamplesAhead(since, underWay);
  }
}
