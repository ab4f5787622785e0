package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.shape.IndexRange;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodecTest {

  private final Codec codec = Codec.float32();

  @Test
  void float32KeepsEveryBitAndLeavesNothing() {
    float[] change = {1.5f, -0f, Float.MIN_VALUE, Float.NaN, Float.NEGATIVE_INFINITY, 9f};
    float[] original = change.clone();

    Encoder encoder = codec.encoder(List.of(new IndexRange(0, 5)));
    byte[] payload = encoder.encode(0, change, 5);

    float[] decoded = new float[5];
    codec.decode(payload, decoded, 5);
    for (int i = 0; i < 5; i++) {
      assertThat(Float.floatToRawIntBits(decoded[i]))
          .isEqualTo(Float.floatToRawIntBits(original[i]));
    }
    assertThat(encoder.isLossless()).isTrue();
    assertThat(change[5]).as("beyond the length").isEqualTo(9f);
  }

  @Test
  void refusesAPayloadOfAnotherLength() {
    assertThatThrownBy(() -> codec.decode(new byte[5], new float[2], 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 floats")
        .hasMessageContaining("5 bytes");
  }
}
