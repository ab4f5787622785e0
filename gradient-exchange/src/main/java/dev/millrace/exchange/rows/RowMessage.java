package dev.millrace.exchange.rows;

import dev.millrace.exchange.hook.HookMessage;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * What replicas send to a shard of rows. Each replica's messages arrive in the order in which it
 * sent them.
 */
public sealed interface RowMessage extends HookMessage permits RowPull, RowPush, RowRound {

  WireFormat<RowMessage> WIRE = new MessageWire();

  @Override
  default String hook() {
    return RowHook.NAME;
  }

  /** The shard that the message is for, by the name that {@link RowRouter} has for it. */
  int shard();

  /** Number of the replica that sends it. */
  int replica();

  /** Refuses ends that the ids of a message don't have. */
  static void checkEnds(int[] ends, long[] ids) {
    int last = 0;
    for (int end : ends) {
      if (end < last) {
        throw new IllegalArgumentException(
            "Ids of a table end at %s, after %s".formatted(end, last));
      }
      last = end;
    }
    if (last != ids.length) {
      throw new IllegalArgumentException(
          "The ids of the tables end at %s, and there are %s".formatted(last, ids.length));
    }
  }

  /** One byte of kind behind the version. */
  final class MessageWire implements WireFormat<RowMessage>, Serializable {

    private static final int VERSION = 1;

    private MessageWire() {}

    @Override
    public void write(RowMessage message, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      if (message instanceof RowPull pull) {
        writeIds('P', pull.shard(), pull.ends(), pull.ids(), out);
        pull.writeRest(out);
      } else if (message instanceof RowPush push) {
        writeIds('U', push.shard(), push.ends(), push.ids(), out);
        push.writeRest(out);
      } else if (message instanceof RowRound round) {
        out.writeByte('R');
        out.writeInt(round.shard());
        round.writeRest(out);
      }
    }

    private static void writeIds(int kind, int shard, int[] ends, long[] ids, DataOutput out)
        throws IOException {
      out.writeByte(kind);
      out.writeInt(shard);
      BulkArrays.writeInts(out, ends);
      BulkArrays.writeLongs(out, ids);
    }

    @Override
    public RowMessage read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, RowMessage.class);
      int kind = in.readUnsignedByte();
      int shard = in.readInt();
      if (kind == 'R') {
        return RowRound.readRest(shard, in);
      }
      int[] ends = BulkArrays.readInts(in);
      long[] ids = BulkArrays.readLongs(in);
      try {
        return switch (kind) {
          case 'P' -> RowPull.readRest(shard, ends, ids, in);
          case 'U' -> RowPush.readRest(shard, ends, ids, in);
          default -> throw new IOException("Unknown kind of row message: " + kind);
        };
      } catch (IllegalArgumentException e) {
        throw new IOException(e.getMessage(), e);
      }
    }
  }
}
