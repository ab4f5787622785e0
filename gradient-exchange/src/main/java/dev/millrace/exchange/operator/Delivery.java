package dev.millrace.exchange.operator;

import dev.millrace.exchange.block.Feedback;
import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * Feedback on its way to another process.
 *
 * @param sink which feedback sink takes it, for all replicas of its process
 */
public record Delivery(int sink, Feedback feedback) {

  static final WireFormat<Delivery> WIRE = new DeliveryWire();

  private static final class DeliveryWire implements WireFormat<Delivery>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(Delivery delivery, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(delivery.sink());
      Feedback.WIRE.write(delivery.feedback(), out);
    }

    @Override
    public Delivery read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, Delivery.class);
      return new Delivery(in.readInt(), Feedback.WIRE.read(in));
    }
  }
}
