package dev.millrace.exchange.codec;

import java.util.Arrays;

/**
 * Some values of a block as they are, the others zero. On the wire a byte for the layout, and in
 * whichever is the smallest:
 *
 * <ul>
 *   <li>0, gaps: the number of values, as a {@linkplain PayloadWriter#writeVarint varint}; for each
 *       of them a varint of how many are skipped before it; the values;
 *   <li>1, bitmap: the number of values; a bit for each of the block's, the lowest first; the
 *       values;
 *   <li>2, dense: all of the block's values.
 * </ul>
 *
 * <p>Values are little-endian floats.
 */
final class SparseValues {

  private static final int GAPS = 0;
  private static final int BITMAP = 1;
  private static final int DENSE = 2;

  private SparseValues() {}

  /**
   * Writes the values of a block at {@code indices}, which ascend. Only where all others are zero
   * may it choose the dense layout.
   */
  static void write(
      PayloadWriter out,
      float[] block,
      int length,
      int[] indices,
      int count,
      boolean othersAreZero) {
    long header = 1L + PayloadWriter.varintSize(count) + (long) count * Float.BYTES;
    long gaps = header + gapsSize(indices, count);
    long bitmap = header + bitmapSize(length);
    long dense = othersAreZero ? 1 + (long) length * Float.BYTES : Long.MAX_VALUE;
    if (dense < Math.min(gaps, bitmap)) {
      out.writeByte(DENSE);
      out.writeFloats(block, length);
      return;
    }
    out.writeByte(gaps <= bitmap ? GAPS : BITMAP);
    out.writeVarint(count);
    if (gaps <= bitmap) {
      writeGaps(out, indices, count);
    } else {
      writeBitmap(out, length, indices, count);
    }
    for (int n = 0; n < count; n++) {
      out.writeFloat(block[indices[n]]);
    }
  }

  private static long gapsSize(int[] indices, int count) {
    long size = 0;
    int next = 0;
    for (int n = 0; n < count; n++) {
      size += PayloadWriter.varintSize(indices[n] - next);
      next = indices[n] + 1;
    }
    return size;
  }

  private static void writeGaps(PayloadWriter out, int[] indices, int count) {
    int next = 0;
    for (int n = 0; n < count; n++) {
      out.writeVarint(indices[n] - next);
      next = indices[n] + 1;
    }
  }

  private static int bitmapSize(int length) {
    return (length + 7) / 8;
  }

  private static void writeBitmap(PayloadWriter out, int length, int[] indices, int count) {
    int start = out.writeZeros(bitmapSize(length));
    for (int n = 0; n < count; n++) {
      out.set(start + indices[n] / 8, 1 << (indices[n] % 8));
    }
  }

  /**
   * Sets all {@code length} values of {@code block}.
   *
   * @throws IllegalArgumentException if the payload isn't one of a block of that length
   */
  static void read(byte[] payload, float[] block, int length) {
    PayloadReader in = new PayloadReader(payload);
    int layout = in.readByte();
    in.check(layout <= DENSE, "has an unknown layout");
    if (layout == DENSE) {
      in.readFloats(block, length);
    } else {
      int count = in.readCount(length);
      int[] indices = new int[count];
      if (layout == GAPS) {
        readGaps(in, length, indices);
      } else {
        readBitmap(in, length, indices);
      }
      Arrays.fill(block, 0, length, 0f);
      for (int n = 0; n < count; n++) {
        block[indices[n]] = in.readFloat();
      }
    }
    in.end();
  }

  private static void readGaps(PayloadReader in, int length, int[] indices) {
    int next = 0;
    for (int n = 0; n < indices.length; n++) {
      int gap = in.readVarint();
      in.check(gap < length - next, "has a value beyond its block");
      next += gap;
      indices[n] = next++;
    }
  }

  private static void readBitmap(PayloadReader in, int length, int[] indices) {
    int start = in.skip(bitmapSize(length));
    int found = 0;
    for (int i = 0; i < bitmapSize(length) * 8; i++) {
      if (((in.get(start + i / 8) >> (i % 8)) & 1) != 0) {
        in.check(i < length, "has a value beyond its block");
        in.check(found < indices.length, "has more values than it says");
        indices[found++] = i;
      }
    }
    in.check(found == indices.length, "has fewer values than it says");
  }
}
