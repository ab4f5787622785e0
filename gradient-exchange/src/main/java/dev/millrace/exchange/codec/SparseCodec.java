package dev.millrace.exchange.codec;

import dev.millrace.model.shape.IndexRange;
import java.util.List;

/**
 * The values that aren't zero, every bit of them, and no others: lossless. See {@link SparseValues}
 * for the payload.
 *
 * <p>A negative zero is a zero, and may come back as a positive one; as changes are added to
 * something, the sum is an equal number either way.
 */
final class SparseCodec implements Codec {

  @Override
  public String name() {
    return "sparse";
  }

  @Override
  public Encoder encoder(List<IndexRange> segments) {
    return new SparseEncoder();
  }

  @Override
  public void decode(byte[] payload, float[] change, int length) {
    SparseValues.read(payload, change, length);
  }
}
