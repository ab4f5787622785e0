package dev.millrace.exchange.codec;

import java.io.Serializable;

/**
 * Encodes the change that a replica contributes, one parameter block at a time.
 *
 * <p>A codec may leave something out. What it left out it hands back, so that the replica keeps it
 * as its difference from the global model and contributes it later (error feedback).
 */
public interface Codec extends Serializable {

  /**
   * Encodes the first {@code length} values of {@code change}. On return these hold what was left
   * out: all zero for a lossless codec.
   */
  byte[] encode(float[] change, int length);

  /** Sets the first {@code length} values of {@code change} to what {@code payload} holds. */
  void decode(byte[] payload, float[] change, int length);

  /** Every bit of the change. */
  static Codec float32() {
    return new Float32Codec();
  }
}
