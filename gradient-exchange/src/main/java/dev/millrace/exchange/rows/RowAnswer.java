package dev.millrace.exchange.rows;

import dev.millrace.exchange.hook.HookMessage;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * A shard's answer to a {@link RowPull}.
 *
 * @param shard who answers, by the name that the pull has for it
 * @param number of the pull
 * @param values of the pull's ids in their order, for each as many as its table's dimension
 * @param uses of the pull's ids in their order, as often as their rows were pushed with; 0 of those
 *     without a row; none at all where the pull doesn't want them
 */
public record RowAnswer(int shard, long number, float[] values, int[] uses) implements HookMessage {

  @Override
  public String hook() {
    return RowHook.NAME;
  }

  public static final WireFormat<RowAnswer> WIRE = new AnswerWire();

  private static final class AnswerWire implements WireFormat<RowAnswer>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(RowAnswer answer, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(answer.shard);
      out.writeLong(answer.number);
      BulkArrays.writeFloats(out, answer.values);
      BulkArrays.writeInts(out, answer.uses);
    }

    @Override
    public RowAnswer read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, RowAnswer.class);
      return new RowAnswer(
          in.readInt(), in.readLong(), BulkArrays.readFloats(in), BulkArrays.readInts(in));
    }
  }
}
