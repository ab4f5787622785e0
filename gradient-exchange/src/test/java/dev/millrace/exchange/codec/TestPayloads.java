package dev.millrace.exchange.codec;

import java.util.Arrays;
import java.util.List;

/** Payloads of whole changes. */
public final class TestPayloads {

  private TestPayloads() {}

  /** Every bit of the first {@code length} values. */
  public static Payload float32(int offset, float[] change, int length) {
    return of(Codec.float32(), offset, change, length);
  }

  public static Payload bfloat16(int offset, float[] change, int length) {
    return of(Codec.bfloat16(), offset, change, length);
  }

  private static Payload of(Codec codec, int offset, float[] change, int length) {
    return codec.send(codec.encoder(List.of()), offset, Arrays.copyOf(change, length), length);
  }

  /** One that nobody decodes. */
  public static Payload of(byte... bytes) {
    return Payload.of("float32", bytes);
  }
}
