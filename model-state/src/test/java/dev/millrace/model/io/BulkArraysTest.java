package dev.millrace.model.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.Bytes;
import dev.millrace.model.testing.Seeds;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BulkArraysTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8191, 8192, 8193, 16384, 40000})
  void arraysOfAnyLengthComeBackBitForBit(int length) throws IOException {
    long seed = Seeds.next();
    System.out.printf("Bulk arrays of %d: seed %d%n", length, seed);
    Random random = new Random(seed);
    float[] floats = new float[length];
    double[] doubles = new double[length];
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    long[] longs = random.longs(length).toArray();
    int[] ints = random.ints(length).toArray();
    for (int i = 0; i < length; i++) {
      floats[i] = Float.intBitsToFloat(random.nextInt());
      doubles[i] = Double.longBitsToDouble(random.nextLong());
    }

    DataInputStream in =
        Bytes.in(
            Bytes.of(
                out -> {
                  BulkArrays.writeFloats(out, floats);
                  BulkArrays.writeDoubles(out, doubles);
                  BulkArrays.writeLongs(out, longs);
                  BulkArrays.writeInts(out, ints);
                  BulkArrays.writeBytes(out, bytes);
                }));

    float[] floatsBack = BulkArrays.readFloats(in);
    double[] doublesBack = BulkArrays.readDoubles(in);
    assertThat(floatsBack).hasSize(length);
    for (int i = 0; i < length; i++) {
      assertThat(Float.floatToRawIntBits(floatsBack[i]))
          .isEqualTo(Float.floatToRawIntBits(floats[i]));
      assertThat(Double.doubleToRawLongBits(doublesBack[i]))
          .isEqualTo(Double.doubleToRawLongBits(doubles[i]));
    }
    assertThat(BulkArrays.readLongs(in)).isEqualTo(longs);
    assertThat(BulkArrays.readInts(in)).isEqualTo(ints);
    assertThat(BulkArrays.readBytes(in)).isEqualTo(bytes);
    assertThat(in.read()).isEqualTo(-1);
  }

  @Test
  void aLongArrayGrowsWhileItsBytesCome() throws IOException {
    int[] ints = new Random(1).ints(5 << 20).toArray();

    assertThat(BulkArrays.readInts(Bytes.in(Bytes.of(out -> BulkArrays.writeInts(out, ints)))))
        .isEqualTo(ints);
  }

  @Test
  void aPartOfAnArrayIsWrittenAsIfItWereAll() throws IOException {
    float[] values = {1, 2, 3};

    assertThat(
            BulkArrays.readFloats(
                Bytes.in(Bytes.of(out -> BulkArrays.writeFloats(out, values, 2)))))
        .containsExactly(1, 2);
  }

  @Test
  void theLayoutIsLittleEndianAfterABigEndianLength() throws IOException {
    assertThat(Bytes.of(out -> BulkArrays.writeFloats(out, new float[] {1})))
        .containsExactly(0, 0, 0, 1, 0, 0, 0x80, 0x3f);
  }

  @Test
  void bytesThatEndEarlyAreRefused() throws IOException {
    byte[] cut = {0, 0, 0, 2, 1, 2, 3, 4};

    assertThatThrownBy(() -> BulkArrays.readFloats(Bytes.in(cut))).isInstanceOf(EOFException.class);
  }
}
