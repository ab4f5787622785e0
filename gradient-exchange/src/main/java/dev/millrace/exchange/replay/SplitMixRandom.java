package dev.millrace.exchange.replay;

/**
 * Random numbers that follow from a seed and a count, and from nothing else: so a restart draws the
 * same again, and no state is needed. SplitMix64; Steele, Lea and Flood, "Fast Splittable
 * Pseudorandom Number Generators", 2014.
 *
 * <p>Not thread-safe.
 */
final class SplitMixRandom {

  private static final long GAMMA = 0x9e3779b97f4a7c15L;

  private final long seed;
  private long state;

  /**
   * @param seed of the job
   * @param stream number of the replica: each draws differently
   */
  SplitMixRandom(long seed, long stream) {
    this.seed = mix(seed + GAMMA * (stream + 1));
    this.state = this.seed;
  }

  /**
   * SplitMixRandom from here on what belongs to a count.
   *
   * @param purpose from 0 to 3, keeps draws of the same count for different ends apart
   */
  void begin(long count, int purpose) {
    state = mix(seed ^ mix(count * 4 + purpose));
  }

  /** SplitMixRandom a number from 0 to below {@code bound}. */
  int below(long bound) {
    return Math.toIntExact(longBelow(bound));
  }

  /**
   * SplitMixRandom a number from 0 to below {@code bound}; the odds differ by less than one in
   * 2<sup>20</sup>.
   */
  long longBelow(long bound) {
    return Long.remainderUnsigned(next(), bound);
  }

  /** SplitMixRandom a number above 0 and at most 1. */
  double unit() {
    return ((next() >>> 11) + 1) * 0x1.0p-53;
  }

  private long next() {
    state += GAMMA;
    return mix(state);
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
