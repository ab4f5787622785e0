package dev.millrace.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;

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
