package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.shape.IndexRange;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Payloads that no encoder made are refused with a reason, whatever they are. */
class MalformedPayloadTest {

  private static final int LENGTH = 300;

  private static final List<Codec> CODECS =
      List.of(
          Codec.float32(),
          Codec.bfloat16(),
          Codec.int8(),
          Codec.threshold(ThresholdRule.fixed(0.5f)),
          Codec.threshold(ThresholdRule.fixed(1e-4f)),
          Codec.twoBitTopK(0.02),
          Codec.twoBitTopK(0.5),
          Codec.topK(0.02),
          Codec.topK(0.5),
          Codec.sparse());

  @Test
  void aPayloadThatEndsEarlyOrLateIsRefused() {
    for (Codec codec : CODECS) {
      byte[] payload = payload(codec, 1);
      for (int length = 0; length <= payload.length + 3; length++) {
        byte[] other = Arrays.copyOf(payload, length);
        if (length != payload.length) {
          assertThatThrownBy(() -> codec.decode(other, new float[LENGTH], LENGTH))
              .as("%s, %d of %d bytes", codec, length, payload.length)
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageMatching(".{20,}");
        }
      }
    }
  }

  @Test
  void aPayloadOfAnotherBlockIsRefused() {
    for (Codec codec : CODECS.subList(0, 7)) {
      byte[] payload = payload(codec, 1);
      for (int length : new int[] {0, 1, LENGTH / 2, LENGTH - 1, LENGTH + 1, 2 * LENGTH}) {
        assertThatThrownBy(() -> codec.decode(payload, new float[length], length))
            .as("%s, %d values", codec, length)
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.exchange.codec.Vectors#seeds")
  void wrongBytesAreRefusedOrDecodeToSomething(long seed) {
    Random random = new Random(seed);
    for (Codec codec : CODECS) {
      byte[] payload = payload(codec, seed);
      for (int n = 0; n < 3000; n++) {
        byte[] wrong = n % 2 == 0 ? payload.clone() : new byte[random.nextInt(60)];
        if (n % 2 == 0) {
          for (int flips = random.nextInt(4); flips >= 0; flips--) {
            wrong[random.nextInt(wrong.length)] ^= (byte) (1 << random.nextInt(8));
          }
        } else {
          random.nextBytes(wrong);
          // Small numbers get further.
          for (int i = 0; i < wrong.length; i++) {
            wrong[i] &= (byte) (random.nextBoolean() ? 0xff : 0x83);
          }
        }
        int length = random.nextInt(8) == 0 ? random.nextInt(40) : LENGTH;
        decode(codec, wrong, length, "seed " + seed);
      }
    }
  }

  @Test
  void numbersBeyondTheBlockAreRefused() {
    Codec threshold = CODECS.get(3);
    assertRefused(threshold, "at most", 5, 0); // A piece of 5 values.
    assertRefused(threshold, "empty", 0, 0);
    assertRefused(threshold, "more values", 4, 10, 0, 0, 0, 63);
    assertRefused(threshold, "beyond", 4, 2, 0, 0, 0, 63, 8);
    assertRefused(threshold, "beyond", 3, 3, 0, 0, 0, 63, 0x40);
    assertRefused(threshold, "sign", 4, 3, 0, 0, 0, 63, 3);
    assertRefused(threshold, "number", 4, 5, 0, 0, 0, 63, 1);
    assertRefused(threshold, "threshold", 4, 2, 0, 0, 0, 0, 0);
    assertRefused(threshold, "too large", 0xff, 0xff, 0xff, 0xff, 0x7f);
    assertRefused(threshold, "5 bytes", 0xff, 0xff, 0xff, 0xff, 0xff, 1);
    Codec twoBit = Codec.twoBitTopK(1);
    assertRefused(twoBit, "at most", 5, 0); // A piece of 5 values.
    assertRefused(twoBit, "empty", 0, 0);
    assertRefused(twoBit, "at most", 4, 5, 0x80, 0x3f, 0x80, 0x3f, 0, 0);
    assertRefused(twoBit, "magnitude", 4, 1, 0, 0, 0x80, 0x3f, 0, 0);
    assertRefused(twoBit, "magnitude", 4, 1, 0x80, 0x3f, 0x80, 0xbf, 0, 0);
    assertRefused(twoBit, "magnitude", 4, 1, 0x80, 0x7f, 0x80, 0x3f, 0, 0);
    assertRefused(twoBit, "too many bits", 4, 1, 0x80, 0x3f, 0x80, 0x3f, 30, 0);
    assertRefused(twoBit, "beyond its piece", 4, 1, 0x80, 0x3f, 0x80, 0x3f, 0, 0x0f);
    assertRefused(twoBit, "beyond its piece", 3, 1, 0x80, 0x3f, 0x80, 0x3f, 2, 0x06);
    assertRefused(twoBit, "beyond its piece", 4, 2, 0x80, 0x3f, 0x80, 0x3f, 0, 0x07);
    assertRefused(twoBit, "bits beyond", 4, 1, 0x80, 0x3f, 0x80, 0x3f, 0, 0x08);
    assertRefused(twoBit, "early", 4, 1, 0x80, 0x3f, 0x80, 0x3f, 0);
    Codec sparse = Codec.sparse();
    assertRefused(sparse, "layout", 3);
    assertRefused(sparse, "at most", 0, 5);
    assertRefused(sparse, "beyond", 0, 1, 4, 0, 0, 0, 0);
    assertRefused(sparse, "beyond", 1, 1, 16, 0, 0, 0, 0);
    assertRefused(sparse, "more", 1, 1, 3, 0, 0, 0, 0);
    assertRefused(sparse, "fewer", 1, 1, 0, 0, 0, 0, 0);
    assertRefused(sparse, "early", 2, 0);
    assertRefused(Codec.int8(), "scale", 0, 0, 0xc0, 0x7f, 1, 1, 1, 1);
    assertRefused(Codec.int8(), "scale", 0, 0, 0, 0x80 | 0x40, 1, 1, 1, 1);
  }

  /** A gap that is too long for an int is none of less than nothing. */
  @Test
  void valuesBehindAFullPieceAreRefusedWhateverTheirGap() {
    PayloadWriter out = new PayloadWriter();
    out.writeVarint(4);
    out.writeVarint(2);
    for (int bits : new int[] {0x80, 0x3f, 0x80, 0x3f, 29}) {
      out.writeByte(bits);
    }
    for (int[] highAndLow : new int[][] {{0, 3}, {4, 0}}) {
      out.writeOnes(highAndLow[0]);
      out.writeBits(0, 1);
      out.writeBits(highAndLow[1], 29);
      out.writeBits(0, 2);
    }
    out.endBits();
    byte[] payload = out.toBytes();

    assertThatThrownBy(() -> Codec.twoBitTopK(1).decode(payload, new float[4], 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("beyond its piece");
  }

  @Test
  void anOddBlockOfBfloat16HasNoOtherHalf() {
    assertThatThrownBy(() -> Codec.bfloat16().decode(new byte[] {0, 0, 1, 0}, new float[1], 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one more");
  }

  private static void assertRefused(Codec codec, String why, int... bytes) {
    byte[] payload = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      payload[i] = (byte) bytes[i];
    }
    assertThatThrownBy(() -> codec.decode(payload, new float[4], 4))
        .as(Arrays.toString(bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  private static void decode(Codec codec, byte[] payload, int length, String what) {
    try {
      codec.decode(payload, new float[length], length);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).as(what).isNotBlank();
    } catch (RuntimeException e) {
      throw new AssertionError(
          "%s, %s of %s: %s".formatted(what, codec, length, Arrays.toString(payload)), e);
    }
  }

  private static byte[] payload(Codec codec, long seed) {
    float[] change = Vectors.gaussian(new Random(seed), LENGTH);
    // Every layout needs something to be sent.
    change[LENGTH / 2] = 3f;
    return codec
        .encoder(List.of(new IndexRange(0, 100), new IndexRange(100, LENGTH)))
        .encode(0, change, LENGTH);
  }
}
