package dev.millrace.exchange.codec;

/**
 * The sender's side of a {@link Codec}: encodes one change after the other, each block by block.
 *
 * <p>Not thread-safe.
 */
public interface Encoder {

  /** The greatest magnitude that a value to be encoded may have: the greatest of bfloat16. */
  float GREATEST = 0x1.fep127f;

  /**
   * Encodes the first {@code length} values of {@code change}, none beyond {@link #GREATEST}, which
   * lie at {@code offset} of the vector. On return these hold what was left out: what decodes from
   * the payload and what is left add up to the change, to rounding; all zero for a lossless codec.
   */
  byte[] encode(int offset, float[] change, int length);

  /** Whether nothing is ever left out. */
  default boolean isLossless() {
    return false;
  }

  /**
   * The whole job has learned so many examples, for an encoder that leaves less out at first. Told
   * before each change, and no part of what {@link #save} gives.
   */
  default void learned(long examples) {}

  /** The last block of a change has been encoded. */
  default void complete() {}

  /** Returns what the encoder has to remember between changes, for a checkpoint. */
  default float[] save() {
    return new float[0];
  }

  /** Goes on from what {@link #save} gave; what isn't of this encoder's form is left aside. */
  default void restore(float[] saved) {}
}
