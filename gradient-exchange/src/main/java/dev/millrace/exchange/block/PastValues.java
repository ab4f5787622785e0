package dev.millrace.exchange.block;

import dev.millrace.exchange.round.PastOrder;
import dev.millrace.model.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A block's part of the past models, by their number.
 *
 * <p>Not thread-safe.
 */
final class PastValues {

  private final SortedMap<Integer, float[]> kept = new TreeMap<>();

  /** Keeps what a round orders; {@code values}, of before the round, must never change. */
  void keep(PastOrder order, float[] values) {
    if (order.keep() > 0) {
      kept.put(order.keep(), values);
    }
  }

  /** Forgets what a round orders; not before treatments are done that may go back to it. */
  void forget(PastOrder order) {
    if (order.keep() > 0) {
      kept.headMap(order.oldest()).clear();
    }
  }

  /**
   * The block's part of a past model.
   *
   * @throws IllegalStateException if it isn't there: the others would go back without this one
   */
  float[] of(int number) {
    float[] values = kept.get(number);
    if (values == null) {
      throw new IllegalStateException(
          "Training returns to the past model %s, and a block has only %s"
              .formatted(number, kept.keySet()));
    }
    return values;
  }

  boolean isEmpty() {
    return kept.isEmpty();
  }

  /** How many numbers it keeps. */
  long floats() {
    return kept.values().stream().mapToLong(values -> values.length).sum();
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(kept.size());
    for (var one : kept.entrySet()) {
      out.writeInt(one.getKey());
      BulkArrays.writeFloats(out, one.getValue());
    }
  }

  void read(DataInput in) throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      kept.put(in.readInt(), BulkArrays.readFloats(in));
    }
  }
}
