package dev.millrace.exchange.codec;

import dev.millrace.model.shape.IndexRange;
import java.io.Serializable;
import java.util.List;

/**
 * How a change of a flat vector becomes bytes, one parameter block at a time, and back.
 *
 * <p>A codec may leave something out. What it left out its encoder hands back, so that it stays the
 * sender's difference from what the receiver knows, and is part of the next change (error feedback:
 * Seide et al. 2014, Karimireddy et al. 2019).
 */
public interface Codec extends Serializable {

  /**
   * Returns the name that {@link #named} finds it by: the kind alone, which is all that a receiver
   * has to know.
   */
  String name();

  /**
   * A sender's side of this codec.
   *
   * @param segments parts of the vector whose changes are of one scale, such as a layer's
   *     parameters: in order, from 0 to the vector's length, without gaps
   */
  Encoder encoder(List<IndexRange> segments);

  /**
   * Sets the first {@code length} values of {@code change} to what {@code payload} holds.
   *
   * @throws IllegalArgumentException if the payload isn't one of a block of that length
   */
  void decode(byte[] payload, float[] change, int length);

  /**
   * Encodes a change as {@link Encoder#encode} does, by an encoder of this codec, for a receiver
   * that may be in this process.
   */
  default Payload send(Encoder encoder, int offset, float[] change, int length) {
    return Payload.of(name(), encoder.encode(offset, change, length));
  }

  /**
   * A codec that decodes what any codec of that name has encoded.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Codec named(String name) {
    return Decoders.named(name);
  }

  /** Every bit of the change. */
  static Codec float32() {
    return new Float32Codec();
  }

  /** See {@link Bfloat16Codec}: half the bytes, what rounding takes away is left. */
  static Codec bfloat16() {
    return new Bfloat16Codec();
  }

  /** See {@link Int8Codec}: about a quarter of the bytes. */
  static Codec int8() {
    return new Int8Codec();
  }

  /**
   * Plus or minus a threshold for each value that reaches it (Strom 2015).
   *
   * @param rule of each segment's threshold
   */
  static Codec threshold(ThresholdRule rule) {
    return new ThresholdCodec(rule);
  }

  /**
   * The given share of each block's values, those of the greatest magnitude, as they are.
   *
   * @param share above 0, at most 1
   */
  static Codec topK(double share) {
    return new TopKCodec(share);
  }

  /**
   * The given share of each segment's values in a block, those of the greatest magnitude, as a sign
   * and one of two magnitudes: see {@link TwoBitTopKCodec}.
   *
   * @param share above 0, at most 1
   */
  static Codec twoBitTopK(double share) {
    return new TwoBitTopKCodec(share);
  }

  /**
   * All values that aren't zero, as they are: lossless, and never much larger than {@link
   * #float32}.
   */
  static Codec sparse() {
    return new SparseCodec();
  }
}
