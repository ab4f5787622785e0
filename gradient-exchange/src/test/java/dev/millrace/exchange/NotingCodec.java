package dev.millrace.exchange;

import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.Encoder;
import dev.millrace.model.shape.IndexRange;
import java.util.ArrayList;
import java.util.List;

/**
 * Every bit, and a note of how many examples the job is said to have learned before each change.
 */
final class NotingCodec implements Codec {

  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // It stays where it is.
  private final List<Long> examples = new ArrayList<>();

  List<Long> examples() {
    return examples;
  }

  @Override
  public String name() {
    return Codec.float32().name();
  }

  @Override
  public Encoder encoder(List<IndexRange> segments) {
    Encoder exact = Codec.float32().encoder(segments);
    return new Encoder() {
      @Override
      public byte[] encode(int offset, float[] change, int length) {
        return exact.encode(offset, change, length);
      }

      @Override
      public boolean isLossless() {
        return true;
      }

      @Override
      public void learned(long ofJob) {
        examples.add(ofJob);
      }
    };
  }

  @Override
  public void decode(byte[] payload, float[] change, int length) {
    Codec.float32().decode(payload, change, length);
  }
}
