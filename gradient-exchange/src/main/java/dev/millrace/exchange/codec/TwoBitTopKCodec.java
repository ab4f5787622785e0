package dev.millrace.exchange.codec;

import dev.millrace.model.shape.IndexRange;
import java.util.Arrays;
import java.util.List;

/**
 * The given share of each segment's values in a block, those of the greatest magnitude; at least
 * one if any isn't zero, and never a zero. Each is sent in two bits, its sign and one of two
 * magnitudes, beside its place (Sarfi et al. 2025, "Communication Efficient LLM Pre-training with
 * SparseLoCo"). What is left is all that wasn't sent, and what the two magnitudes are away from
 * those that were.
 *
 * <p>The payload: a {@link TwoBitPiece} for each segment that the block has a part of.
 */
final class TwoBitTopKCodec implements Codec {

  private final double share;

  TwoBitTopKCodec(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "A share of a block's values is above 0 and at most 1, not " + share);
    }
    this.share = share;
  }

  @Override
  public String name() {
    return "top-k-2-bit";
  }

  @Override
  public Encoder encoder(List<IndexRange> segments) {
    return new TwoBitTopKEncoder(new Segments(segments), share);
  }

  @Override
  public void decode(byte[] payload, float[] change, int length) {
    PayloadReader in = new PayloadReader(payload);
    Arrays.fill(change, 0, length, 0f);
    for (int from = 0; from < length; ) {
      from += TwoBitPiece.read(in, change, from, length - from);
    }
    in.end();
  }
}
