package dev.millrace.exchange.replica;

import dev.millrace.model.io.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A {@link LocalVector} as a checkpoint has it: what differs from the global model, and what that
 * doesn't know.
 *
 * @param blocks of the exchanged part; null where the global model has all of it
 * @param rest values that aren't exchanged, in pieces that follow one another
 * @param encoder what its encoder remembers
 * @param residual by block, what codecs left out of contributions so far; empty where nothing
 */
record SavedVector(SavedBlock[] blocks, float[][] rest, float[][] encoder, float[][] residual) {

  /** Block by block, for {@link LocalVector#restore}, which reads them as they come. */
  void write(DataOutput out) throws IOException {
    for (SavedBlock block : blocks) {
      SavedBlock.write(block, out);
    }
    writeArrays(out, rest);
    writeArrays(out, encoder);
    writeArrays(out, residual);
  }

  private static void writeArrays(DataOutput out, float[][] arrays) throws IOException {
    out.writeInt(arrays.length);
    for (float[] array : arrays) {
      BulkArrays.writeFloats(out, array);
    }
  }

  static float[][] readArrays(DataInput in) throws IOException {
    float[][] arrays = new float[in.readInt()][];
    for (int i = 0; i < arrays.length; i++) {
      arrays[i] = BulkArrays.readFloats(in);
    }
    return arrays;
  }
}
