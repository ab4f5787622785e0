package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PayloadWriterTest {

  @Test
  void numbersTakeTheBytesItSaysAndAreReadAgain() {
    for (int bits = 0; bits < 31; bits++) {
      for (int value : new int[] {(1 << bits) - 1, 1 << bits, Integer.MAX_VALUE >> bits}) {
        PayloadWriter out = new PayloadWriter();
        out.writeVarint(value);
        byte[] bytes = out.toBytes();

        assertThat(PayloadWriter.varintSize(value)).as("%d", value).isEqualTo(bytes.length);
        PayloadReader in = new PayloadReader(bytes);
        assertThat(in.readVarint()).isEqualTo(value);
        in.end();
      }
    }
  }

  @Test
  void bitsAreReadAgain() {
    Random random = new Random(1);
    int[] counts = random.ints(1000, 0, 33).toArray();
    int[] values = new int[counts.length];
    PayloadWriter out = new PayloadWriter();
    for (int n = 0; n < counts.length; n++) {
      values[n] = (int) (random.nextInt() & ((1L << counts[n]) - 1));
      out.writeBits(values[n], counts[n]);
      out.writeOnes(n % 40);
      out.writeBits(0, 1);
    }
    out.endBits();
    out.writeByte(77);

    PayloadReader in = new PayloadReader(out.toBytes());
    for (int n = 0; n < counts.length; n++) {
      assertThat(in.readBits(counts[n])).as("number %d", n).isEqualTo(values[n]);
      assertThat(in.readOnes(40)).isEqualTo(n % 40);
    }
    in.endBits();
    assertThat(in.readByte()).isEqualTo(77);
    in.end();
  }

  @Test
  void startsAgainOnceCleared() {
    PayloadWriter out = new PayloadWriter();
    out.writeFloats(new float[] {Float.NaN, Float.NaN}, 2);
    out.clear();
    int at = out.writeZeros(3);
    out.set(at + 1, 5);
    out.set(at + 1, 2);
    assertThat(out.toBytes()).containsExactly(0, 7, 0);
  }
}
