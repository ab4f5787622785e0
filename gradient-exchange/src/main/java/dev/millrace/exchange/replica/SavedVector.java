package dev.millrace.exchange.replica;

import dev.millrace.model.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A {@link LocalVector} as a checkpoint has it.
 *
 * @param values the whole of [parameters | updater state], exchanged or not
 * @param anchor of the exchanged part
 * @param clean whether the exchanged values and the anchor are the same
 * @param rounds of the global block that each block's anchor last came from
 * @param encoder what its encoder remembers
 */
record SavedVector(float[] values, float[] anchor, boolean clean, long[] rounds, float[] encoder) {

  /** How many bytes {@link #write} writes, to a few. */
  int writtenSize() {
    return (values.length + anchor.length + encoder.length) * Float.BYTES
        + rounds.length * Long.BYTES;
  }

  void write(DataOutput out) throws IOException {
    BulkArrays.writeFloats(out, values);
    BulkArrays.writeFloats(out, anchor);
    out.writeBoolean(clean);
    writeLongs(out, rounds);
    BulkArrays.writeFloats(out, encoder);
  }

  /** {@code withEncoder} is false for what was written before encoders remembered anything. */
  static SavedVector read(DataInput in, boolean withEncoder) throws IOException {
    return new SavedVector(
        BulkArrays.readFloats(in),
        BulkArrays.readFloats(in),
        in.readBoolean(),
        readLongs(in),
        withEncoder ? BulkArrays.readFloats(in) : new float[0]);
  }

  static void writeLongs(DataOutput out, long[] values) throws IOException {
    out.writeInt(values.length);
    for (long value : values) {
      out.writeLong(value);
    }
  }

  static long[] readLongs(DataInput in) throws IOException {
    long[] values = new long[in.readInt()];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readLong();
    }
    return values;
  }
}
