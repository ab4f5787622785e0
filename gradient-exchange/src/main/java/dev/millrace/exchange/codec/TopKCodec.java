package dev.millrace.exchange.codec;

import dev.millrace.model.shape.IndexRange;
import java.util.List;

/**
 * The given share of each block's values, those of the greatest magnitude, as they are; at least
 * one if any isn't zero, and never a zero. What is sent is left as zero, what isn't is left as it
 * was, so that the two add up to the change exactly (Aji and Heafield 2017, "Sparse communication
 * for distributed gradient descent").
 *
 * <p>See {@link SparseValues} for the payload.
 */
final class TopKCodec implements Codec {

  private final double share;

  TopKCodec(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "A share of a block's values is above 0 and at most 1, not " + share);
    }
    this.share = share;
  }

  @Override
  public String name() {
    return "top-k";
  }

  @Override
  public Encoder encoder(List<IndexRange> segments) {
    return new TopKEncoder(share);
  }

  @Override
  public void decode(byte[] payload, float[] change, int length) {
    SparseValues.read(payload, change, length);
  }
}
