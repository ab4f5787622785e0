package dev.millrace.exchange.block;

import dev.millrace.exchange.round.Sequences;
import dev.millrace.model.BulkArrays;
import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * The newest state of one parameter block of the global model, on its way to every replica. A newer
 * update of a block makes an older one needless.
 *
 * @param block the parameter block
 * @param round how many rounds are in it
 * @param values the block, whole
 * @param included newest contribution of each replica that is in it
 */
public record BlockUpdate(int block, long round, float[] values, Sequences included)
    implements Serializable {

  public static final WireFormat<BlockUpdate> WIRE = new UpdateWire();

  private static final class UpdateWire implements WireFormat<BlockUpdate>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(BlockUpdate update, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(update.block);
      out.writeLong(update.round);
      BulkArrays.writeFloats(out, update.values);
      Sequences.WIRE.write(update.included, out);
    }

    @Override
    public BlockUpdate read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, BlockUpdate.class);
      return new BlockUpdate(
          in.readInt(), in.readLong(), BulkArrays.readFloats(in), Sequences.WIRE.read(in));
    }
  }
}
