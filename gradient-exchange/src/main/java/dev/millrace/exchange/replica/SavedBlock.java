package dev.millrace.exchange.replica;

import dev.millrace.model.io.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * An exchanged block of a replica that differs from what the global model knows of it. Of a block
 * that doesn't there is nothing to save: the global model has it.
 *
 * @param round of the global block that the anchor came from; negative where none had come
 * @param values of the replica
 * @param anchor what the global model knows of them
 */
record SavedBlock(long round, float[] values, float[] anchor) {

  /** Null where the two are the same, bit by bit. */
  static SavedBlock differing(long round, float[] values, float[] anchor) {
    return Arrays.equals(values, anchor) ? null : new SavedBlock(round, values, anchor);
  }

  /** Writes one, or null. */
  static void write(SavedBlock blockOrNull, DataOutput out) throws IOException {
    out.writeBoolean(blockOrNull != null);
    if (blockOrNull != null) {
      out.writeLong(blockOrNull.round);
      BulkArrays.writeFloats(out, blockOrNull.values);
      BulkArrays.writeFloats(out, blockOrNull.anchor);
    }
  }

  /** Reads what {@link #write} wrote. */
  static SavedBlock read(DataInput in) throws IOException {
    return in.readBoolean()
        ? new SavedBlock(in.readLong(), BulkArrays.readFloats(in), BulkArrays.readFloats(in))
        : null;
  }
}
