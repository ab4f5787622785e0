package dev.millrace.model.score;

/**
 * Divides [0, 1] into bins that are fine where scores of a confident model lie: each octave towards
 * 0, and likewise towards 1, has the same number of bins. Evenly spaced thresholds would put nearly
 * all scores of such a model into the first bin and the last.
 *
 * <p>Near 0.5, where they are widest, 64 bins an octave are 0.004 wide.
 */
public final class ScoreBins {

  /**
   * Scores below 2<sup>−40</sup> share a bin; above 1 − 2<sup>−24</sup> there is no float but 1.
   */
  private static final float LEAST = 0x1p-40f;

  private static final float LEAST_BELOW_ONE = 0x1p-24f;
  private static final float MIDDLE = 0.5f;
  private static final int MANTISSA_BITS = 23;

  private final int shift;
  private final int leastIndex;
  private final int leastBelowOneIndex;

  /** Bin of 0.5 itself. */
  private final int middle;

  private final int count;

  private ScoreBins(int bitsAnOctave) {
    this.shift = MANTISSA_BITS - bitsAnOctave;
    this.leastIndex = Float.floatToRawIntBits(LEAST) >> shift;
    this.leastBelowOneIndex = Float.floatToRawIntBits(LEAST_BELOW_ONE) >> shift;
    int half = Float.floatToRawIntBits(MIDDLE) >> shift;
    this.middle = 1 + half - leastIndex;
    this.count = middle + 1 + (half - leastBelowOneIndex) + 1;
  }

  /** Returns bins as fine as fits into about 20 MB for so many histograms, up to 1,000 of them. */
  public static ScoreBins forHistograms(int histograms) {
    return new ScoreBins(histograms <= 256 ? 6 : histograms <= 1024 ? 4 : 2);
  }

  public int count() {
    return count;
  }

  /**
   * Bins are in the order of their scores; a score out of range is taken for 0 or 1, and one that
   * is no number for 0.
   */
  public int of(float score) {
    if (score <= MIDDLE) {
      return score < LEAST ? 0 : 1 + (Float.floatToRawIntBits(score) >> shift) - leastIndex;
    }
    float below = 1 - score;
    if (below < LEAST_BELOW_ONE) {
      return count - 1;
    }
    return Float.isNaN(below)
        ? 0
        : count - 2 - (Float.floatToRawIntBits(below) >> shift) + leastBelowOneIndex;
  }

  /** The least score of a bin; for those above 0.5 it is itself in the bin below. */
  public float floor(int bin) {
    if (bin == 0) {
      return 0;
    }
    if (bin <= middle) {
      return Float.intBitsToFloat((bin - 1 + leastIndex) << shift);
    }
    if (bin == count - 1) {
      return 1;
    }
    return 1 - Float.intBitsToFloat((count - 1 - bin + leastBelowOneIndex) << shift);
  }
}
