package dev.millrace.fields;

import org.apache.commons.codec.digest.MurmurHash3;

/** Murmur3 of 32 bits with the seed 0, which most languages have. */
final class Hash {

  private Hash() {}

  /** The bucket of some bytes: the hash as an unsigned number, modulo the number of buckets. */
  static int bucket(byte[] bytes, int from, int to, int buckets) {
    return Integer.remainderUnsigned(MurmurHash3.hash32x86(bytes, from, to - from, 0), buckets);
  }
}
