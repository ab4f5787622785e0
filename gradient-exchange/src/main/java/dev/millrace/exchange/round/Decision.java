package dev.millrace.exchange.round;

import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What the coordinator tells one block of the exchange: the members of a round, the same for every
 * block.
 *
 * @param block the parameter block
 * @param round number of the round; a block's rounds are decided in order, none left out
 * @param members in the order of replica numbers, at least one
 * @param participation how much of a whole round the members are
 * @param publish whether the model of this round is to be handed to the publisher
 */
public record Decision(
    int block, long round, List<Member> members, Participation participation, boolean publish)
    implements Serializable {

  public static final WireFormat<Decision> WIRE = new DecisionWire();

  public Decision {
    members = List.copyOf(members);
    if (members.isEmpty()) {
      throw new IllegalArgumentException("Round " + round + " has no members");
    }
  }

  private static final class DecisionWire implements WireFormat<Decision>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(Decision decision, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(decision.block);
      out.writeLong(decision.round);
      decision.participation.write(out);
      out.writeBoolean(decision.publish);
      out.writeInt(decision.members.size());
      for (Member member : decision.members) {
        out.writeInt(member.replica());
        out.writeLong(member.sequence());
        out.writeDouble(member.weight());
      }
    }

    @Override
    public Decision read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, Decision.class);
      int block = in.readInt();
      long round = in.readLong();
      Participation participation = Participation.read(in);
      boolean publish = in.readBoolean();
      List<Member> members = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        members.add(new Member(in.readInt(), in.readLong(), in.readDouble()));
      }
      return new Decision(block, round, members, participation, publish);
    }
  }
}
