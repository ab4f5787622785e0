package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.rows.RowAnswer;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * An answer on its way to a replica of another process.
 *
 * @param replica its number, which is that of the task that hands it over
 * @param home of the replica
 */
public record AddressedAnswer(int replica, String home, RowAnswer answer) {

  public static final WireFormat<AddressedAnswer> WIRE = new AnswerWire();

  private static final class AnswerWire implements WireFormat<AddressedAnswer>, Serializable {

    @Override
    public void write(AddressedAnswer answer, DataOutput out) throws IOException {
      out.writeInt(answer.replica);
      out.writeUTF(answer.home);
      RowAnswer.WIRE.write(answer.answer, out);
    }

    @Override
    public AddressedAnswer read(DataInput in) throws IOException {
      return new AddressedAnswer(in.readInt(), in.readUTF(), RowAnswer.WIRE.read(in));
    }
  }
}
