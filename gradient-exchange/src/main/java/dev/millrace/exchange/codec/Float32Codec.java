package dev.millrace.exchange.codec;

import dev.millrace.model.shape.IndexRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/** Little-endian floats, as they are. */
final class Float32Codec implements Codec {

  static final String NAME = "float32";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Encoder encoder(List<IndexRange> segments) {
    return new Float32Encoder();
  }

  @Override
  public void decode(byte[] payload, float[] change, int length) {
    if (payload.length != length * Float.BYTES) {
      throw new IllegalArgumentException(
          "A block of %s floats can't come from %s bytes".formatted(length, payload.length));
    }
    littleEndian(payload).asFloatBuffer().get(change, 0, length);
  }

  @Override
  public Payload send(Encoder encoder, int offset, float[] change, int length) {
    return Payload.of(Arrays.copyOf(change, length));
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static final class Float32Encoder implements Encoder {

    @Override
    public byte[] encode(int offset, float[] change, int length) {
      byte[] payload = new byte[length * Float.BYTES];
      littleEndian(payload).asFloatBuffer().put(change, 0, length);
      return payload;
    }

    @Override
    public boolean isLossless() {
      return true;
    }
  }
}
