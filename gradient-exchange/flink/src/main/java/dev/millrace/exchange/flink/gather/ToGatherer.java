package dev.millrace.exchange.flink.gather;

import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Handover;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * One block of a contribution on its way to a gatherer.
 *
 * @param gatherer its number
 * @param home where a gatherer of the same process finds the replica's link; empty with a {@link
 *     Handover}, whose sender it knows
 * @param message a {@link Contribution} or a {@link Handover}
 */
public record ToGatherer(int gatherer, String home, BlockMessage message) {

  public static final WireFormat<ToGatherer> WIRE = new ToGathererWire();

  /** Addresses what a replica with that home sends. */
  public static ToGatherer of(int gatherer, String home, BlockMessage message) {
    return new ToGatherer(gatherer, message instanceof Handover ? "" : home, message);
  }

  private static final class ToGathererWire implements WireFormat<ToGatherer>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(ToGatherer sent, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(sent.gatherer);
      out.writeUTF(sent.home);
      BlockMessage.WIRE.write(sent.message, out);
    }

    @Override
    public ToGatherer read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, ToGatherer.class);
      return new ToGatherer(in.readInt(), in.readUTF(), BlockMessage.WIRE.read(in));
    }
  }
}
