package dev.millrace.exchange.gather;

import dev.millrace.exchange.round.ContributionId;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What the coordinator tells one gatherer of a round: which members it is to combine.
 *
 * @param gatherer number of the gatherer
 * @param round number of the round; a gatherer's orders are in the order of rounds
 * @param own members that it has, or that send to it: it waits for them, and combines them
 * @param restored members that are part of a restored checkpoint. Only one gatherer has each, and
 *     nobody knows which; it may also wait in the blocks themselves. Who has one sends it alone, so
 *     that a round doesn't depend on how they were dealt out
 */
public record GatherOrder(
    int gatherer, long round, List<ContributionId> own, List<ContributionId> restored) {

  public static final WireFormat<GatherOrder> WIRE = new OrderWire();

  public GatherOrder {
    own = List.copyOf(own);
    restored = List.copyOf(restored);
  }

  /** Returns the replicas of each order that has several of its own, which are combined. */
  public static List<BitSet> together(List<GatherOrder> orders) {
    List<BitSet> together = new ArrayList<>();
    for (GatherOrder order : orders) {
      if (order.own.size() > 1) {
        BitSet replicas = new BitSet();
        order.own.forEach(member -> replicas.set(member.replica()));
        together.add(replicas);
      }
    }
    return together;
  }

  private static final class OrderWire implements WireFormat<GatherOrder>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(GatherOrder order, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(order.gatherer);
      out.writeLong(order.round);
      writeAll(order.own, out);
      writeAll(order.restored, out);
    }

    private static void writeAll(List<ContributionId> members, DataOutput out) throws IOException {
      out.writeInt(members.size());
      for (ContributionId member : members) {
        member.write(out);
      }
    }

    @Override
    public GatherOrder read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, GatherOrder.class);
      return new GatherOrder(in.readInt(), in.readLong(), readAll(in), readAll(in));
    }

    private static List<ContributionId> readAll(DataInput in) throws IOException {
      List<ContributionId> members = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        members.add(ContributionId.read(in));
      }
      return members;
    }
  }
}
