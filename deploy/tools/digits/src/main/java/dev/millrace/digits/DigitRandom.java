package dev.millrace.digits;

/**
 * The random numbers of one image: SplitMix64 (Steele, Lea, Flood 2014), which can be started
 * anywhere at no cost.
 */
final class DigitRandom {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final float UNIT = 0x1p-24f;

  /** What makes a sum of four 16-bit numbers have a deviation of 1. */
  private static final float PER_DEVIATION = (float) (Math.sqrt(3) / 0x10000);

  private long state;

  /** Starts the numbers of a seed and an index. */
  void reset(long seed, long index) {
    state = mix(seed * GOLDEN + 1) + mix(index);
  }

  long next() {
    state += GOLDEN;
    return mix(state);
  }

  /** Draws a number from 0 to bound - 1. */
  int below(int bound) {
    return (int) (((next() >>> 32) * bound) >>> 32);
  }

  float between(float low, float high) {
    return low + (high - low) * ((next() >>> 40) * UNIT);
  }

  /** About normal with mean 0 and deviation 1, never beyond 3.5: a sum of four 16-bit numbers. */
  float gaussian() {
    long bits = next();
    long sum = (bits & 0xffff) + (bits >>> 16 & 0xffff) + (bits >>> 32 & 0xffff) + (bits >>> 48);
    return (sum - 2 * 0xffff) * PER_DEVIATION;
  }

  private static long mix(long value) {
    long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
