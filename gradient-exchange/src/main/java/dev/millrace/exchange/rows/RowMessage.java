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
public sealed interface RowMessage extends HookMessage permits RowPull, RowPush {

  WireFormat<RowMessage> WIRE = new MessageWire();

  @Override
  default String hook() {
    return RowHook.NAME;
  }

  /** The shard that the message is for. */
  int shard();

  /** Returns where the ids of each table end, in the order of the tables' numbers. */
  int[] ends();

  /** The ids of all tables, each once. */
  long[] ids();

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
      out.writeByte(message instanceof RowPull ? 'P' : 'U');
      out.writeInt(message.shard());
      BulkArrays.writeInts(out, message.ends());
      BulkArrays.writeLongs(out, message.ids());
      if (message instanceof RowPull pull) {
        pull.writeRest(out);
      } else if (message instanceof RowPush push) {
        push.writeRest(out);
      }
    }

    @Override
    public RowMessage read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, RowMessage.class);
      int kind = in.readUnsignedByte();
      int shard = in.readInt();
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
