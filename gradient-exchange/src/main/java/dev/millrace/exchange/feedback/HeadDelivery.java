package dev.millrace.exchange.feedback;

import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The head of a round on its way to the replicas of one process.
 *
 * @param sink which feedback sink takes it, for all of them
 * @param standings of these replicas, by home
 * @param gatherer which gatherer they send their contributions to, or {@link #NO_GATHERER}
 */
public record HeadDelivery(
    int sink, RoundHead head, Map<String, Standing> standings, int gatherer) {

  /** Contributions go to the blocks themselves. */
  public static final int NO_GATHERER = -1;

  public static final WireFormat<HeadDelivery> WIRE = new DeliveryWire();

  public HeadDelivery {
    // In the order of homes: that of Map.copyOf is another one in each JVM.
    standings = Collections.unmodifiableMap(new TreeMap<>(standings));
  }

  /** One to replicas whose contributions go to the blocks themselves. */
  public HeadDelivery(int sink, RoundHead head, Map<String, Standing> standings) {
    this(sink, head, standings, NO_GATHERER);
  }

  private static final class DeliveryWire implements WireFormat<HeadDelivery>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(HeadDelivery delivery, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(delivery.sink);
      out.writeInt(delivery.gatherer);
      RoundHead.WIRE.write(delivery.head, out);
      out.writeInt(delivery.standings.size());
      for (var standing : delivery.standings.entrySet()) {
        out.writeUTF(standing.getKey());
        standing.getValue().write(out);
      }
    }

    @Override
    public HeadDelivery read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, HeadDelivery.class);
      int sink = in.readInt();
      int gatherer = in.readInt();
      RoundHead head = RoundHead.WIRE.read(in);
      Map<String, Standing> standings = new TreeMap<>();
      for (int left = in.readInt(); left > 0; left--) {
        standings.put(in.readUTF(), Standing.read(in));
      }
      return new HeadDelivery(sink, head, standings, gatherer);
    }
  }
}
