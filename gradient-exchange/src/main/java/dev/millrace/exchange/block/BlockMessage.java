package dev.millrace.exchange.block;

import dev.millrace.model.BulkArrays;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/** What replicas send to a block of the exchange. */
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
   */
  record Pull(int block, float[] initial, ServerOptimizerState serverOptimizer)
      implements BlockMessage {}

  /**
   * The encoded change of one block since the replica's last contribution.
   *
   * @param replica number of the replica
   * @param sequence which of its contributions, counted from 1
   */
  record Contribution(int block, int replica, long sequence, byte[] payload)
      implements BlockMessage {}

  /** One byte of kind behind the version. */
  final class MessageWire implements WireFormat<BlockMessage>, Serializable {

    private static final int VERSION = 2;

    private MessageWire() {}

    @Override
    public void write(BlockMessage message, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(message.block());
      if (message instanceof Pull pull) {
        out.writeByte('P');
        BulkArrays.writeFloats(out, pull.initial());
        ServerOptimizerState.WIRE.write(pull.serverOptimizer(), out);
      } else if (message instanceof Contribution contribution) {
        out.writeByte('C');
        out.writeInt(contribution.replica());
        out.writeLong(contribution.sequence());
        BulkArrays.writeBytes(out, contribution.payload());
      }
    }

    @Override
    public BlockMessage read(DataInput in) throws IOException {
      int version = WireFormat.readVersion(in, VERSION, BlockMessage.class);
      int block = in.readInt();
      int kind = in.readUnsignedByte();
      return switch (kind) {
        case 'P' ->
            new Pull(
                block,
                BulkArrays.readFloats(in),
                version == 1 ? ServerOptimizerState.NONE : ServerOptimizerState.WIRE.read(in));
        case 'C' -> new Contribution(block, in.readInt(), in.readLong(), BulkArrays.readBytes(in));
        default -> throw new IOException("Unknown kind of block message: " + kind);
      };
    }
  }
}
