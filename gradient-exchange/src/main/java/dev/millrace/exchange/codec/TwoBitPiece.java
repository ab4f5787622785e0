package dev.millrace.exchange.codec;

/**
 * The values of a run that are sent as plus or minus one of two magnitudes. On the wire:
 *
 * <ol>
 *   <li>the run's length, as a {@linkplain PayloadWriter#writeVarint varint};
 *   <li>a varint of the number of sent values. With none the piece ends here;
 *   <li>the small and the great magnitude, each the upper half of a float, lower byte first;
 *   <li>a byte: the low bits of a gap, b;
 *   <li>bits, the lowest of each byte first. For each sent value: the values skipped before it,
 *       divided by 2^b, as so many ones and a zero; the lowest b bits of that number (Golomb 1966,
 *       Rice 1979); a one where it is negative; a one where its magnitude is the great one. Zeros
 *       up to the next byte.
 * </ol>
 */
final class TwoBitPiece {

  private static final int MOST_LOW_BITS = 30;

  private TwoBitPiece() {}

  /**
   * Writes the values at {@code indices}, which ascend, of the run from {@code from} to {@code to}.
   */
  static void write(
      PayloadWriter out,
      float[] values,
      int from,
      int to,
      TwoMagnitudes magnitudes,
      int[] indices,
      int count) {
    out.writeVarint(to - from);
    out.writeVarint(count);
    if (count == 0) {
      return;
    }
    writeMagnitude(out, magnitudes.small());
    writeMagnitude(out, magnitudes.great());
    int low = lowBits(from, indices, count);
    out.writeByte(low);
    int next = from;
    for (int n = 0; n < count; n++) {
      float value = values[indices[n]];
      int gap = indices[n] - next;
      out.writeOnes(gap >>> low);
      out.writeBits(0, 1);
      out.writeBits(gap & ((1 << low) - 1), low);
      out.writeBits((value < 0 ? 1 : 0) | (magnitudes.isGreat(value) ? 2 : 0), 2);
      next = indices[n] + 1;
    }
    out.endBits();
  }

  private static void writeMagnitude(PayloadWriter out, float magnitude) {
    int bits = Float.floatToRawIntBits(magnitude);
    out.writeByte(bits >>> 16);
    out.writeByte(bits >>> 24);
  }

  /** The number of low bits that makes all gaps shortest. */
  private static int lowBits(int from, int[] indices, int count) {
    long least = Long.MAX_VALUE;
    for (int low = 0; low < MOST_LOW_BITS; low++) {
      long size = size(from, indices, count, low);
      if (size >= least) {
        return low - 1;
      }
      least = size;
    }
    return MOST_LOW_BITS - 1;
  }

  private static long size(int from, int[] indices, int count, int low) {
    long size = (long) count * low;
    int next = from;
    for (int n = 0; n < count; n++) {
      size += (indices[n] - next) >>> low;
      next = indices[n] + 1;
    }
    return size;
  }

  /**
   * Sets the values of the next piece that were sent.
   *
   * @param most values that the piece may have
   * @return how many it has
   */
  static int read(PayloadReader in, float[] values, int from, int most) {
    int length = in.readCount(most);
    in.check(length > 0, "has an empty piece");
    int count = in.readCount(length);
    if (count == 0) {
      return length;
    }
    float small = readMagnitude(in);
    float great = readMagnitude(in);
    int low = in.readByte();
    in.check(low < MOST_LOW_BITS, "has gaps of too many bits");
    int next = 0;
    for (int n = 0; n < count; n++) {
      int left = length - next;
      in.check(left > 0, "has a value beyond its piece");
      // As many ones as there may be: more would be beyond the piece, and might overflow.
      int high = in.readOnes((left - 1) >>> low);
      int gap = high << low | in.readBits(low);
      in.check(gap < left, "has a value beyond its piece");
      next += gap;
      int kind = in.readBits(2);
      float magnitude = (kind & 2) == 0 ? small : great;
      values[from + next++] = (kind & 1) == 0 ? magnitude : -magnitude;
    }
    in.endBits();
    return length;
  }

  private static float readMagnitude(PayloadReader in) {
    int bits = in.readByte() << 16;
    float magnitude = Float.intBitsToFloat(bits | in.readByte() << 24);
    in.check(
        magnitude >= Float.MIN_NORMAL && magnitude <= Encoder.GREATEST,
        "has a magnitude that isn't one");
    return magnitude;
  }
}
