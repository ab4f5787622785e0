package dev.millrace.exchange.rows;

/** Hashes of 64 bits, equal on each platform and in each release: state and values rest on them. */
final class RowHash {

  /** 2^64 divided by the golden ratio, odd. */
  static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private static final long FNV_OFFSET = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 0x100000001B3L;

  private RowHash() {}

  /** Mixes all bits into all bits, one to one: the end of SplitMix64 (Steele, Lea, Flood 2014). */
  static long mix(long value) {
    long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }

  /** Hashes a text's UTF-16 characters (FNV-1a), and mixes the result. */
  static long of(String text) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return mix(hash);
  }
}
