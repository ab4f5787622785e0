package dev.millrace.model.negatives;

import dev.millrace.model.IdLists;
import dev.millrace.model.Minibatch;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Tells one input's part of an example from that of another: by its ids, as of a user or an item;
 * where the input has no field of ids, by its features.
 */
final class SideKeys {

  private final IndexRange features;

  /** The fields of ids of this input, by their numbers in {@link Minibatch#ids}. */
  private final int[] fields;

  /**
   * @param features that the input has
   */
  SideKeys(ExampleShape shape, IndexRange features) {
    this.features = features;
    List<IdColumn> ids = shape.columns().ids();
    this.fields =
        IntStream.range(0, ids.size())
            .filter(field -> ids.get(field).features().from() >= features.from())
            .filter(field -> ids.get(field).features().to() <= features.to())
            .toArray();
  }

  /** Returns a key of a row, all of whose bits are mixed; other sides have another one. */
  long key(Minibatch minibatch, int row) {
    return fields.length == 0 ? ofFeatures(minibatch, row) : ofIds(minibatch.ids(), row);
  }

  private long ofIds(IdLists ids, int row) {
    long key = 0;
    for (int field : fields) {
      int list = row * ids.fields() + field;
      int end = ids.start(list + 1);
      key = mix(key + end - ids.start(list));
      for (int at = ids.start(list); at < end; at++) {
        key = mix(key ^ ids.ids()[at]);
      }
    }
    return key;
  }

  private long ofFeatures(Minibatch minibatch, int row) {
    int first = row * minibatch.shape().features();
    long key = 0;
    for (int at = first + features.from(); at < first + features.to(); at++) {
      key = mix(key ^ Float.floatToIntBits(minibatch.features()[at]));
    }
    return key;
  }

  /** Returns the key of both sides of an example. */
  static long pair(long first, long second) {
    return mix(mix(first) ^ second);
  }

  /** Mixes all bits into all bits: a step of SplitMix64 (Steele, Lea, Flood 2014). */
  static long mix(long value) {
    long mixed = value + 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
