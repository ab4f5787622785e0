package dev.millrace.exchange.block;

import dev.millrace.exchange.codec.Payload;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/** What the exchange tells every feedback sink of a block: all of it, or what has changed. */
public sealed interface Feedback permits BlockUpdate, BlockChange {

  WireFormat<Feedback> WIRE = new FeedbackWire();

  /** The parameter block. */
  int block();

  /** The newest round that changed it. */
  long round();

  /** Bytes of values on the wire. */
  long bytes();

  /** One byte of kind behind the version. */
  final class FeedbackWire implements WireFormat<Feedback>, Serializable {

    private static final int VERSION = 1;

    private FeedbackWire() {}

    @Override
    public void write(Feedback feedback, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(feedback.block());
      out.writeLong(feedback.round());
      if (feedback instanceof BlockUpdate update) {
        out.writeByte('U');
        BulkArrays.writeFloats(out, update.values());
      } else if (feedback instanceof BlockChange change) {
        out.writeByte('C');
        out.writeLong(change.base());
        change.payload().write(out);
      }
    }

    @Override
    public Feedback read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, Feedback.class);
      int block = in.readInt();
      long round = in.readLong();
      int kind = in.readUnsignedByte();
      return switch (kind) {
        case 'U' -> new BlockUpdate(block, round, BulkArrays.readFloats(in));
        case 'C' -> new BlockChange(block, in.readLong(), round, Payload.read(in));
        default -> throw new IOException("Unknown kind of feedback: " + kind);
      };
    }
  }
}
