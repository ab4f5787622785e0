package dev.millrace.exchange.rows;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * "Send me these rows' values."
 *
 * @param ends where the ids of each table end, in the order of the tables' numbers
 * @param ids of all tables, each once
 * @param replica who asks
 * @param number which of its minibatches, for the answer
 * @param home where it is told, see {@code ReplicaLinks}
 * @param wantsUses whether it is told how often these rows were used, too
 */
public record RowPull(
    int shard, int[] ends, long[] ids, int replica, long number, String home, boolean wantsUses)
    implements RowMessage {

  public RowPull {
    RowMessage.checkEnds(ends, ids);
  }

  void writeRest(DataOutput out) throws IOException {
    out.writeInt(replica);
    out.writeLong(number);
    out.writeUTF(home);
    out.writeBoolean(wantsUses);
  }

  static RowPull readRest(int shard, int[] ends, long[] ids, DataInput in) throws IOException {
    return new RowPull(
        shard, ends, ids, in.readInt(), in.readLong(), in.readUTF(), in.readBoolean());
  }
}
