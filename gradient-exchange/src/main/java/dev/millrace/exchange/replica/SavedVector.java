package dev.millrace.exchange.replica;

import dev.millrace.model.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * A {@link LocalVector} as a checkpoint has it.
 *
 * @param values the whole of [parameters | updater state], exchanged or not
 * @param anchors of the exchanged part, in pieces that follow one another
 * @param clean whether the exchanged values and the anchor are the same
 * @param rounds of the global block that each block's anchor last came from
 * @param encoder what its encoder remembers
 * @param residual by block, what codecs left out of contributions so far; empty where nothing
 */
record SavedVector(
    float[] values,
    float[][] anchors,
    boolean clean,
    long[] rounds,
    float[][] encoder,
    float[][] residual) {

  /** The anchors of the exchanged part, in one array. */
  float[] anchor() {
    float[] anchor = new float[exchanged()];
    int at = 0;
    for (float[] piece : anchors) {
      System.arraycopy(piece, 0, anchor, at, piece.length);
      at += piece.length;
    }
    return anchor;
  }

  /** Length of the exchanged part. */
  int exchanged() {
    return Arrays.stream(anchors).mapToInt(piece -> piece.length).sum();
  }

  void write(DataOutput out) throws IOException {
    BulkArrays.writeFloats(out, values);
    BulkArrays.writeFloats(out, anchors);
    out.writeBoolean(clean);
    writeLongs(out, rounds);
    writeArrays(out, encoder);
    writeArrays(out, residual);
  }

  static SavedVector read(DataInput in) throws IOException {
    return new SavedVector(
        BulkArrays.readFloats(in),
        new float[][] {BulkArrays.readFloats(in)},
        in.readBoolean(),
        readLongs(in),
        readArrays(in),
        readArrays(in));
  }

  private static void writeArrays(DataOutput out, float[][] arrays) throws IOException {
    out.writeInt(arrays.length);
    for (float[] array : arrays) {
      BulkArrays.writeFloats(out, array);
    }
  }

  private static float[][] readArrays(DataInput in) throws IOException {
    float[][] arrays = new float[in.readInt()][];
    for (int i = 0; i < arrays.length; i++) {
      arrays[i] = BulkArrays.readFloats(in);
    }
    return arrays;
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
