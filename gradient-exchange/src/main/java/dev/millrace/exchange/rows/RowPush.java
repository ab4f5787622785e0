package dev.millrace.exchange.rows;

import dev.millrace.model.io.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The gradients of a minibatch, for a shard's rows. It goes to shards without an id of the
 * minibatch too, where a table expires rows: so all of them know the time.
 *
 * @param ends where the ids of each table end, in the order of the tables' numbers
 * @param ids of all tables, each once
 * @param replica who sends it
 * @param number which of its minibatches
 * @param uses for each id, how often the minibatch's fresh examples have it; 0 where replayed ones
 *     alone do
 * @param gradients for each id as many as its table's dimension
 */
public record RowPush(
    int shard,
    int[] ends,
    long[] ids,
    int replica,
    long number,
    int[] uses,
    float[] gradients,
    RowMinibatch minibatch)
    implements RowMessage {

  /** The time of a minibatch without timestamps. */
  public static final long NO_TIME = Long.MIN_VALUE;

  public RowPush {
    RowMessage.checkEnds(ends, ids);
    if (uses.length != ids.length) {
      throw new IllegalArgumentException(
          "A push has %s ids, and uses of %s".formatted(ids.length, uses.length));
    }
    for (int use : uses) {
      if (use < 0) {
        throw new IllegalArgumentException("A push has an id with %s uses".formatted(use));
      }
    }
  }

  void writeRest(DataOutput out) throws IOException {
    out.writeInt(replica);
    out.writeLong(number);
    BulkArrays.writeInts(out, uses);
    BulkArrays.writeFloats(out, gradients);
    out.writeFloat(minibatch.scale());
    out.writeLong(minibatch.time());
    out.writeInt(minibatch.examples());
    out.writeInt(minibatch.epoch());
  }

  static RowPush readRest(int shard, int[] ends, long[] ids, DataInput in) throws IOException {
    return new RowPush(
        shard,
        ends,
        ids,
        in.readInt(),
        in.readLong(),
        BulkArrays.readInts(in),
        BulkArrays.readFloats(in),
        new RowMinibatch(in.readFloat(), in.readLong(), in.readInt(), in.readInt()));
  }
}
