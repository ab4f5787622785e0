package dev.millrace.exchange.block;

import dev.millrace.exchange.codec.Payload;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.BitSet;

/** What replicas, and those that gather their contributions, send to a block of the exchange. */
public sealed interface BlockMessage {

  WireFormat<BlockMessage> WIRE = new MessageWire();

  /** The parameter block that the message is for. */
  int block();

  /**
   * "Send me this block."
   *
   * @param initial values to start from if the block has none yet; empty to only ask
   * @param serverOptimizer what the server optimizer kept of the block's parameters, to go on from;
   *     none if there is nothing, or no initial values
   * @param replica who asks
   * @param home where it is told, see {@code ReplicaLinks}
   */
  record Pull(
      int block, float[] initial, ServerOptimizerState serverOptimizer, int replica, String home)
      implements BlockMessage {}

  /**
   * The encoded change of one block since the replica's last contribution.
   *
   * @param replica number of the replica
   * @param sequence which of its contributions, counted from 1
   * @param weight sum of the weights of the examples behind it
   */
  record Contribution(int block, int replica, long sequence, double weight, Payload payload)
      implements BlockMessage {}

  /**
   * "My contribution is here." In the place of a {@link Contribution} whose payload waits in the
   * memory of the process that both ends share; so it is never kept.
   */
  record Handover(int block, int replica, long sequence, double weight) implements BlockMessage {}

  /**
   * The contributions of several members of a round, combined into one change; that of a single one
   * is as it was. The parts of a round are of different members.
   *
   * @param round number of the round
   * @param members numbers of their replicas, at least one; never to be changed
   * @param weight sum of their weights
   */
  record Part(int block, long round, BitSet members, double weight, Payload payload)
      implements BlockMessage {

    public Part {
      if (members.isEmpty()) {
        throw new IllegalArgumentException(
            "A part of round %s of block %s has no members".formatted(round, block));
      }
    }
  }

  /** One byte of kind behind the version. */
  final class MessageWire implements WireFormat<BlockMessage>, Serializable {

    private static final int VERSION = 1;

    private MessageWire() {}

    @Override
    public void write(BlockMessage message, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(message.block());
      if (message instanceof Pull pull) {
        out.writeByte('P');
        BulkArrays.writeFloats(out, pull.initial());
        ServerOptimizerState.WIRE.write(pull.serverOptimizer(), out);
        out.writeInt(pull.replica());
        out.writeUTF(pull.home());
      } else if (message instanceof Contribution contribution) {
        out.writeByte('C');
        out.writeInt(contribution.replica());
        out.writeLong(contribution.sequence());
        out.writeDouble(contribution.weight());
        contribution.payload().write(out);
      } else if (message instanceof Handover handover) {
        out.writeByte('H');
        out.writeInt(handover.replica());
        out.writeLong(handover.sequence());
        out.writeDouble(handover.weight());
      } else if (message instanceof Part part) {
        out.writeByte('G');
        out.writeLong(part.round());
        writeMembers(part.members(), out);
        out.writeDouble(part.weight());
        part.payload().write(out);
      }
    }

    /** Their numbers: few of many, so that the parts of a round grow with the replicas. */
    private static void writeMembers(BitSet members, DataOutput out) throws IOException {
      out.writeInt(members.cardinality());
      for (int member = members.nextSetBit(0);
          member >= 0;
          member = members.nextSetBit(member + 1)) {
        out.writeInt(member);
      }
    }

    private static BitSet readMembers(DataInput in) throws IOException {
      BitSet members = new BitSet();
      for (int left = in.readInt(); left > 0; left--) {
        members.set(in.readInt());
      }
      return members;
    }

    @Override
    public BlockMessage read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, BlockMessage.class);
      int block = in.readInt();
      int kind = in.readUnsignedByte();
      return switch (kind) {
        case 'P' ->
            new Pull(
                block,
                BulkArrays.readFloats(in),
                ServerOptimizerState.WIRE.read(in),
                in.readInt(),
                in.readUTF());
        case 'C' ->
            new Contribution(block, in.readInt(), in.readLong(), in.readDouble(), Payload.read(in));
        case 'H' -> new Handover(block, in.readInt(), in.readLong(), in.readDouble());
        case 'G' ->
            new Part(block, in.readLong(), readMembers(in), in.readDouble(), Payload.read(in));
        default -> throw new IOException("Unknown kind of block message: " + kind);
      };
    }
  }
}
