package dev.millrace.exchange.round;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.BitSet;

/**
 * What the coordinator tells one block of the exchange: the members of a round that cover it. Of
 * each it is the contribution to this block that follows the one that the block took last; so a bit
 * a replica says all.
 *
 * @param block the parameter block
 * @param round number of the round; a block's rounds are decided in order, none left out
 * @param members numbers of the replicas, never to be changed; empty where the round passes by the
 *     block
 * @param participation how much of a whole round the members are, if there are any
 * @param publish whether the model of this round is to be handed to the publisher
 */
public record Decision(
    int block, long round, BitSet members, Participation participation, boolean publish)
    implements Serializable {

  public static final WireFormat<Decision> WIRE = new DecisionWire();

  /** Whether the round changes the block. */
  public boolean isOfMembers() {
    return !members.isEmpty();
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
      BulkArrays.writeBytes(out, decision.members.toByteArray());
    }

    @Override
    public Decision read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, Decision.class);
      int block = in.readInt();
      long round = in.readLong();
      Participation participation = Participation.read(in);
      boolean publish = in.readBoolean();
      BitSet members = BitSet.valueOf(BulkArrays.readBytes(in));
      return new Decision(block, round, members, participation, publish);
    }
  }
}
