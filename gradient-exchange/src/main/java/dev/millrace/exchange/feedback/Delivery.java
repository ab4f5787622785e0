package dev.millrace.exchange.feedback;

import dev.millrace.exchange.block.Feedback;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Feedback on its way to another process.
 *
 * @param sink which feedback sink takes it, for all replicas of its process
 * @param homes of these replicas
 */
public record Delivery(int sink, List<String> homes, Feedback feedback) {

  public static final WireFormat<Delivery> WIRE = new DeliveryWire();

  /** The bytes of its numbers on the wire, and those of its feedback. */
  private static final int HEADER = 32;

  /** Bytes on the wire, to a few. */
  public long bytes() {
    long names = homes.stream().mapToLong(home -> Short.BYTES + home.length()).sum();
    return HEADER + names + feedback.bytes();
  }

  private static final class DeliveryWire implements WireFormat<Delivery>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(Delivery delivery, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(delivery.sink());
      out.writeInt(delivery.homes().size());
      for (String home : delivery.homes()) {
        out.writeUTF(home);
      }
      Feedback.WIRE.write(delivery.feedback(), out);
    }

    @Override
    public Delivery read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, Delivery.class);
      int sink = in.readInt();
      List<String> homes = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        homes.add(in.readUTF());
      }
      return new Delivery(sink, homes, Feedback.WIRE.read(in));
    }
  }
}
