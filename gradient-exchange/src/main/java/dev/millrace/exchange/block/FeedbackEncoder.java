package dev.millrace.exchange.block;

import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.Encoder;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.model.BlockLayout;

/**
 * What receivers have of a block that they are told the changes of, encoded. What the codec leaves
 * out stays the difference between block and shadow, and is part of the next change: error feedback
 * on the way back, too (Tang et al. 2019, DoubleSqueeze).
 *
 * <p>Not thread-safe.
 */
final class FeedbackEncoder {

  private final BlockLayout layout;
  private final int block;
  private final Codec codec;
  private final Encoder encoder;
  private final float[] change;
  private float[] known;

  /** {@code known} are the values that all receivers have, or will be told first. */
  FeedbackEncoder(BlockLayout layout, int block, Codec codec, Encoder encoder, float[] known) {
    this.layout = layout;
    this.block = block;
    this.codec = codec;
    this.encoder = encoder;
    this.known = known;
    this.change = new float[known.length];
  }

  /**
   * Encodes what receivers are told so that they have {@code values}, or as much as the codec lets
   * through.
   */
  Payload follow(float[] values) {
    for (int i = 0; i < known.length; i++) {
      change[i] = values[i] - known[i];
    }
    Payload payload = Payload.of(codec.name(), encoder.encode(0, change, change.length));
    encoder.complete();
    known = add(payload, known, change, layout, block);
    return payload;
  }

  /** Returns what receivers have, in values that don't change. */
  float[] known() {
    return known;
  }

  float[] encoderState() {
    return encoder.save();
  }

  /**
   * Adds an encoded change to values, at the sender as at the receivers: both have the same bits.
   * What a codec has rounded may lead below zero where nothing may be: an updater that takes a root
   * of it would make the replica's values no numbers.
   *
   * @return the sum; {@code values} stay as they are
   */
  static float[] add(
      Payload payload, float[] values, float[] scratch, BlockLayout layout, int block) {
    float[] change = payload.receive(scratch, values.length);
    float[] sum = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      sum[i] = values[i] + change[i];
    }
    layout.keepNonNegative(block, sum, values);
    return sum;
  }
}
