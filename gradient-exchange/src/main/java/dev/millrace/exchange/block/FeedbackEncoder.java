package dev.millrace.exchange.block;

import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.Encoder;
import dev.millrace.exchange.codec.Payload;

/**
 * What receivers have of a block that they are told the changes of, encoded. What the codec leaves
 * out stays the difference between block and shadow, and is part of the next change: error feedback
 * on the way back, too (Tang et al. 2019, DoubleSqueeze).
 *
 * <p>Not thread-safe.
 */
final class FeedbackEncoder {

  private final Codec codec;
  private final Encoder encoder;
  private final float[] known;
  private final float[] change;

  /** {@code known} are the values that all receivers have, or will be told first. */
  FeedbackEncoder(Codec codec, Encoder encoder, float[] known) {
    this.codec = codec;
    this.encoder = encoder;
    this.known = known;
    this.change = new float[known.length];
  }

  /**
   * What to tell receivers so that they have {@code values}, or as much as the codec lets through.
   */
  Payload follow(float[] values) {
    for (int i = 0; i < known.length; i++) {
      change[i] = values[i] - known[i];
    }
    Payload payload = Payload.of(codec.name(), encoder.encode(0, change, change.length));
    encoder.complete();
    add(payload, known, change);
    return payload;
  }

  /** What receivers have; live. */
  float[] known() {
    return known;
  }

  float[] encoderState() {
    return encoder.save();
  }

  /**
   * Adds an encoded change to {@code values}, at the sender as at the receivers: both have the same
   * bits.
   */
  static void add(Payload payload, float[] values, float[] scratch) {
    float[] change = payload.receive(scratch, values.length);
    for (int i = 0; i < values.length; i++) {
      values[i] += change[i];
    }
  }
}
