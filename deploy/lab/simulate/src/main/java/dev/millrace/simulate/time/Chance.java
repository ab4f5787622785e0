package dev.millrace.simulate.time;

/**
 * Chance by place: what is drawn at a place depends on the seed, the place and how often something
 * was drawn there, and on nothing else. So a run from which one thing is left out is otherwise as
 * alike as can be.
 */
public final class Chance {

  private final long seed;
  private long drawn;

  /** The chance of a seed. */
  public Chance(long seed) {
    this.seed = mix(seed);
  }

  /** Returns the chance of a place within this one. */
  public Chance at(long place) {
    return new Chance(seed ^ mix(place + 0x9E37_79B9_7F4A_7C15L));
  }

  /** Returns the chance of a named place within this one. */
  public Chance at(String place) {
    return at(place.hashCode());
  }

  /** Draws any number. */
  public long next() {
    return mix(seed + 0x9E37_79B9_7F4A_7C15L * ++drawn);
  }

  /** Draws a number from 0 to 1. */
  public double unit() {
    return (next() >>> 11) * 0x1.0p-53;
  }

  /** Draws a whole number below {@code bound}. */
  public int below(int bound) {
    return (int) Math.floorMod(next(), (long) bound);
  }

  /** Draws a number between two, where small ones are as likely as large ones. */
  public long between(long least, long most) {
    return least + (long) (unit() * (most - least + 1));
  }

  /** Draws a number between two, where each order of magnitude is as likely as another. */
  public long anyScale(long least, long most) {
    return Math.round(least * Math.pow((double) most / least, unit()));
  }

  /** Says yes with a probability. */
  public boolean says(double probability) {
    return unit() < probability;
  }

  /** Draws one of these. */
  @SafeVarargs
  public final <T> T of(T... all) {
    return all[below(all.length)];
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return mixed ^ (mixed >>> 31);
  }
}
