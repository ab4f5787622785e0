package dev.millrace.exchange.codec;

import java.util.Arrays;

/**
 * Selects the values of greatest magnitude, exactly, in four passes and without moving any: floats
 * without their signs are ordered as their bits are, so that three histograms, each over the next
 * bits of those values that the ones before couldn't decide on, give the smallest magnitude to be
 * selected.
 *
 * <p>Not thread-safe.
 */
final class GreatestMagnitudes {

  private static final int ABSOLUTE = 0x7fffffff;

  /** Where the bits of each histogram begin; the first has 11, the others 10. */
  private static final int[] SHIFTS = {20, 10, 0};

  private final int[] histogram = new int[1 << 11];

  /**
   * Finds up to {@code most} of the values from {@code from} to {@code to}; fewer if the others are
   * zero. Of equal magnitudes the first are taken.
   *
   * @param most at least 1
   * @param indices where the indices of the values go, ascending
   * @return how many there are
   */
  int find(float[] values, int from, int to, int most, int[] indices) {
    int smallest = 0;
    int left = most;
    int decided = Integer.SIZE - 1;
    for (int shift : SHIFTS) {
      int buckets = 1 << (decided - shift);
      count(values, from, to, smallest >>> decided, decided, shift, buckets);
      int bucket = buckets - 1;
      while (bucket >= 0 && histogram[bucket] < left) {
        left -= histogram[bucket--];
      }
      if (bucket < 0) {
        return collect(values, from, to, 1, to - from, indices);
      }
      smallest |= bucket << shift;
      decided = shift;
    }
    return collect(values, from, to, smallest, left, indices);
  }

  /**
   * Counts the values that aren't zero and whose bits from {@code decided} on are {@code prefix},
   * by their next bits.
   */
  private void count(
      float[] values, int from, int to, int prefix, int decided, int shift, int buckets) {
    Arrays.fill(histogram, 0, buckets, 0);
    for (int i = from; i < to; i++) {
      int bits = Float.floatToRawIntBits(values[i]) & ABSOLUTE;
      if (bits >>> decided == prefix && bits != 0) {
        histogram[bits >>> shift & (buckets - 1)]++;
      }
    }
  }

  /** All above {@code smallest}, and the first {@code equal} of those that are the same. */
  private static int collect(
      float[] values, int from, int to, int smallest, int equal, int[] indices) {
    int count = 0;
    int left = equal;
    for (int i = from; i < to; i++) {
      int bits = Float.floatToRawIntBits(values[i]) & ABSOLUTE;
      if (bits > smallest || (bits == smallest && left-- > 0)) {
        indices[count++] = i;
      }
    }
    return count;
  }
}
