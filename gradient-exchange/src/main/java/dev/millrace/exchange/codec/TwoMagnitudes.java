package dev.millrace.exchange.codec;

/**
 * Two magnitudes that stand for those of many values: the means of the smaller and of the greater
 * ones, rounded to bfloat16, parted where the error is least of a few tries (k-means of two).
 *
 * <p>Not thread-safe.
 */
final class TwoMagnitudes {

  /** More hardly change anything. */
  private static final int TRIES = 4;

  /** The lower half of a float, which bfloat16 doesn't have. */
  private static final int LOWER = 0xffff;

  private float small;
  private float great;
  private float border;
  private double meanBelow;
  private double meanAbove;

  /**
   * Fits them to the values at these indices, none of which is zero.
   *
   * @return whether there are any: magnitudes below {@link Float#MIN_NORMAL} are none
   */
  boolean fit(float[] values, int[] indices, int count) {
    if (count == 0) {
      return false;
    }
    double part = mean(values, indices, count);
    split(values, indices, count, part);
    for (int n = 1; n < TRIES; n++) {
      part = (meanBelow + meanAbove) / 2;
      split(values, indices, count, part);
    }
    small = Math.max(Float.MIN_NORMAL, rounded(meanBelow));
    great = rounded(meanAbove);
    border = (float) ((meanBelow + meanAbove) / 2);
    return great >= Float.MIN_NORMAL;
  }

  private static double mean(float[] values, int[] indices, int count) {
    double sum = 0;
    for (int n = 0; n < count; n++) {
      sum += Math.abs(values[indices[n]]);
    }
    return sum / count;
  }

  /** Sets the means of the magnitudes on either side; both are one where a side has none. */
  private void split(float[] values, int[] indices, int count, double part) {
    double sumBelow = 0;
    double sumAbove = 0;
    int above = 0;
    for (int n = 0; n < count; n++) {
      double magnitude = Math.abs(values[indices[n]]);
      if (magnitude > part) {
        sumAbove += magnitude;
        above++;
      } else {
        sumBelow += magnitude;
      }
    }
    int below = count - above;
    meanBelow = below > 0 ? sumBelow / below : sumAbove / above;
    meanAbove = above > 0 ? sumAbove / above : meanBelow;
  }

  /** Rounds to the nearest, of two the greater; never beyond {@link Encoder#GREATEST}. */
  private static float rounded(double magnitude) {
    int bits = Float.floatToRawIntBits((float) magnitude) + (LOWER + 1) / 2;
    return Math.min(Float.intBitsToFloat(bits & ~LOWER), Encoder.GREATEST);
  }

  boolean isGreat(float value) {
    return Math.abs(value) > border;
  }

  float small() {
    return small;
  }

  float great() {
    return great;
  }

  /** Takes what stands for each of the values off it. */
  void takeOff(float[] values, int[] indices, int count) {
    for (int n = 0; n < count; n++) {
      float value = values[indices[n]];
      float magnitude = isGreat(value) ? great : small;
      values[indices[n]] = value < 0 ? value + magnitude : value - magnitude;
    }
  }
}
