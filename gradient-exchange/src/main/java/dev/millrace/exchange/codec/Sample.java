package dev.millrace.exchange.codec;

/**
 * Magnitudes of some of a piece's values, evenly spaced, from which its quantiles are estimated.
 *
 * <p>Not thread-safe.
 */
final class Sample {

  /**
   * The values of a sample. A share of 0.3 % of these is 24 values, so the estimate is off by a
   * fifth or so.
   */
  private static final int SIZE = 8192;

  private final GreatestMagnitudes greatest = new GreatestMagnitudes();
  private final float[] values = new float[SIZE];
  private final int[] indices = new int[SIZE];
  private int count;
  private int length;

  /** Looks at the values of {@code change} from index {@code from} to {@code to}, exclusive. */
  void take(float[] change, int from, int to) {
    length = to - from;
    count = Math.min(SIZE, length);
    for (int i = 0; i < count; i++) {
      values[i] = change[from + (int) ((long) i * length / count)];
    }
  }

  /** Returns how many values the piece has that the sample is of. */
  int length() {
    return length;
  }

  /**
   * The magnitude that about this share of the piece's values reach; the least that isn't zero
   * where fewer are, and 0 where all are zero.
   */
  float magnitude(double share) {
    int most = Math.max(1, (int) Math.round(share * count));
    int found = greatest.find(values, 0, count, most, indices);
    float least = Float.POSITIVE_INFINITY;
    for (int i = 0; i < found; i++) {
      least = Math.min(least, Math.abs(values[indices[i]]));
    }
    return found == 0 ? 0 : least;
  }
}
