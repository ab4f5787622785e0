package dev.millrace.exchange.codec;

import dev.millrace.model.shape.IndexRange;
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

  ThresholdCodec(ThresholdRule rule) {
    this.rule = rule;
  }

  @Override
  public String name() {
    return "threshold";
  }

  @Override
  public Encoder encoder(List<IndexRange> segments) {
    return new ThresholdEncoder(new Segments(segments), rule);
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
