package dev.millrace.exchange.codec;

import dev.millrace.model.IndexRange;
import java.util.Arrays;
import java.util.List;

/**
 * Sends a threshold t or -t for each value of at least that magnitude, and nothing for the others;
 * what isn't sent stays with the sender (Strom 2015, "Scalable distributed DNN training using
 * commodity GPU cloud computing").
 *
 * <p>What decodes and what is left add up to the change, to the rounding of one subtraction;
 * exactly where a value isn't above twice the threshold.
 *
 * <p>The payload: a piece for each part of a segment that the block has, in order; see {@link
 * SignPiece}.
 */
final class ThresholdCodec implements Codec {

  private final ThresholdRule rule;
  private final float clipMultiple;

  ThresholdCodec(ThresholdRule rule, float clipMultiple) {
    if (!(clipMultiple == 0 || clipMultiple >= 1)) {
      throw new IllegalArgumentException(
          "What is left is clipped at no less than the threshold (1), or never (0), not at "
              + clipMultiple);
    }
    this.rule = rule;
    this.clipMultiple = clipMultiple;
  }

  @Override
  public String name() {
    return "threshold";
  }

  @Override
  public Encoder encoder(List<IndexRange> segments) {
    return new ThresholdEncoder(new Segments(segments), rule, clipMultiple);
  }

  @Override
  public void decode(byte[] payload, float[] change, int length) {
    Arrays.fill(change, 0, length, 0f);
    PayloadReader in = new PayloadReader(payload);
    int from = 0;
    while (from < length) {
      from += SignPiece.read(in, change, from, length - from);
    }
    in.end();
  }
}
