package dev.millrace.exchange.codec;

/**
 * The values of a run that are sent as plus or minus one threshold. On the wire:
 *
 * <ol>
 *   <li>the run's length, as a {@linkplain PayloadWriter#writeVarint varint};
 *   <li>a varint: twice the number of sent values, plus one where they come as a bitmap. With none
 *       the piece ends here;
 *   <li>the threshold as a little-endian float;
 *   <li>whichever is smaller: for each sent value a varint of twice the number of values skipped
 *       before it, plus one where it is negative; or a bitmap of two bits a value, the lowest
 *       first: 0 not sent, 1 plus, 2 minus.
 * </ol>
 *
 * <p>A hit is a sent value's index in the run, doubled, plus one where it is negative: indices are
 * below 2^29, as the floats of a block have to fit into an array of bytes.
 */
final class SignPiece {

  private static final int PLUS = 1;
  private static final int MINUS = 2;

  private SignPiece() {}

  /**
   * Takes the threshold off each value that reaches it.
   *
   * @param hits where the hits go, room for all values
   * @return how many hits there are
   */
  static int take(float[] values, int from, int to, float threshold, int[] hits) {
    int count = 0;
    for (int i = from; i < to; i++) {
      float value = values[i];
      if (Math.abs(value) >= threshold) {
        boolean negative = value < 0;
        values[i] = negative ? value + threshold : value - threshold;
        hits[count++] = (i - from) << 1 | (negative ? 1 : 0);
      }
    }
    return count;
  }

  static void write(PayloadWriter out, int length, float threshold, int[] hits, int count) {
    boolean bitmap = count > 0 && gapsSize(hits, count) > bitmapSize(length);
    out.writeVarint(length);
    out.writeVarint(count << 1 | (bitmap ? 1 : 0));
    if (count == 0) {
      return;
    }
    out.writeFloat(threshold);
    if (bitmap) {
      writeBitmap(out, length, hits, count);
    } else {
      writeGaps(out, hits, count);
    }
  }

  private static long gapsSize(int[] hits, int count) {
    long size = 0;
    int next = 0;
    for (int h = 0; h < count; h++) {
      size += PayloadWriter.varintSize(hits[h] - next);
      next = (hits[h] & ~1) + 2;
    }
    return size;
  }

  private static void writeGaps(PayloadWriter out, int[] hits, int count) {
    int next = 0;
    for (int h = 0; h < count; h++) {
      out.writeVarint(hits[h] - next);
      next = (hits[h] & ~1) + 2;
    }
  }

  private static int bitmapSize(int length) {
    return (length + 3) / 4;
  }

  private static void writeBitmap(PayloadWriter out, int length, int[] hits, int count) {
    int start = out.writeZeros(bitmapSize(length));
    for (int h = 0; h < count; h++) {
      int index = hits[h] >> 1;
      int sign = (hits[h] & 1) == 0 ? PLUS : MINUS;
      out.set(start + index / 4, sign << (index % 4 * 2));
    }
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
    int countAndLayout = in.readVarint();
    int count = countAndLayout >> 1;
    in.check(count <= length, "has more values than a piece");
    boolean bitmap = (countAndLayout & 1) != 0;
    if (count == 0) {
      in.check(!bitmap, "has an empty bitmap");
      return length;
    }
    float threshold = in.readFloat();
    in.check(FixedThreshold.isThreshold(threshold), "has a threshold that isn't one");
    if (bitmap) {
      readBitmap(in, values, from, length, threshold, count);
    } else {
      readGaps(in, values, from, length, threshold, count);
    }
    return length;
  }

  private static void readGaps(
      PayloadReader in, float[] values, int from, int length, float threshold, int count) {
    int next = 0;
    for (int n = 0; n < count; n++) {
      int gapAndSign = in.readVarint();
      int gap = gapAndSign >> 1;
      in.check(gap < length - next, "has a value beyond its piece");
      next += gap;
      values[from + next++] = (gapAndSign & 1) == 0 ? threshold : -threshold;
    }
  }

  private static void readBitmap(
      PayloadReader in, float[] values, int from, int length, float threshold, int count) {
    int start = in.skip(bitmapSize(length));
    int found = 0;
    for (int i = 0; i < bitmapSize(length) * 4; i++) {
      int sign = in.get(start + i / 4) >> (i % 4 * 2) & 3;
      if (sign != 0) {
        in.check(i < length, "has a value beyond its piece");
        in.check(sign <= MINUS, "has a sign that isn't one");
        values[from + i] = sign == PLUS ? threshold : -threshold;
        found++;
      }
    }
    in.check(found == count, "has another number of values than it says");
  }
}
