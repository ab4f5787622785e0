package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

final class ArrayBytesTest {

  @BeforeAll
  static void start() {
    Nd4jRuntime.start();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1000, 16_384, 16_385, 50_001})
  void writesWhatNd4jWrites(int length) throws IOException {
    float[] values = values(length);

    assertThat(ours(values, 0, length)).isEqualTo(nd4j(Nd4j.createFromArray(values)));
  }

  @Test
  void aPartOfAnArrayIsWrittenAsOneOfItsOwn() throws IOException {
    float[] values = values(100);

    assertThat(ours(values, 10, 25)).isEqualTo(ours(Arrays.copyOfRange(values, 10, 35), 0, 25));
  }

  @ParameterizedTest
  @ValueSource(chars = {'c', 'f'})
  void readsRowsAsDl4jWritesThem(char order) throws IOException {
    float[] values = values(40_000);
    try (INDArray row = Nd4j.create(DataType.FLOAT, new long[] {1, values.length}, order)) {
      row.assign(Nd4j.createFromArray(values));

      DataInputStream in = new DataInputStream(new ByteArrayInputStream(nd4j(row)));
      float[] target = new float[values.length + 7];

      assertThat(ArrayBytes.readLength(in)).isEqualTo(values.length);
      ArrayBytes.readValues(in, target, 7, values.length);
      assertThat(Arrays.copyOfRange(target, 7, target.length)).isEqualTo(values);
    }
  }

  @Test
  void otherTypesAreRefused() throws IOException {
    byte[] doubles = nd4j(Nd4j.createFromArray(1.0, 2.0));

    assertThatThrownBy(() -> readLength(doubles)).hasMessageContainingAll("DOUBLE", "FLOAT");
  }

  @Test
  void wholeArraysAreReadAsFloatsUpToALength() throws IOException {
    byte[] doubles = nd4j(Nd4j.createFromArray(1.5, 2.5));

    assertThat(read(doubles, 2)).containsExactly(1.5f, 2.5f);
    assertThat(read(ours(values(10), 0, 10), 10)).isEqualTo(values(10));
    assertThatThrownBy(() -> read(doubles, 1)).hasMessageContaining("2 values follow, and at most");
    assertThatThrownBy(() -> read(nd4j(Nd4j.createFromArray(1, 2)), 2))
        .hasMessageContaining("type INT");
  }

  private static float[] read(byte[] bytes, int most) throws IOException {
    return ArrayBytes.read(new DataInputStream(new ByteArrayInputStream(bytes)), most);
  }

  /** Every length that the bytes can name is looked at before anything is made of it. */
  @Test
  void damagedHeadersAreRefusedWhateverTheyName() throws IOException {
    byte[] good = ours(values(10), 0, 10);
    long seed = Seeds.next();
    Random random = new Random(seed);
    for (int attempt = 0; attempt < 2000; attempt++) {
      byte[] damaged = good.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        damaged[random.nextInt(damaged.length - 40)] = (byte) random.nextInt();
      }
      try {
        assertThat(readLength(damaged)).as("seed " + seed).isBetween(0, Integer.MAX_VALUE);
      } catch (IOException | RuntimeException e) {
        assertThat(e).as("seed " + seed).isNotInstanceOf(NegativeArraySizeException.class);
      }
    }
  }

  @Test
  void anEarlyEndIsAnEarlyEnd() throws IOException {
    byte[] whole = ours(values(10), 0, 10);
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(whole, 0, whole.length - 1));

    assertThat(ArrayBytes.readLength(in)).isEqualTo(10);
    assertThatThrownBy(() -> ArrayBytes.readValues(in, new float[10], 0, 10))
        .isInstanceOf(EOFException.class);
  }

  private static int readLength(byte[] bytes) throws IOException {
    return ArrayBytes.readLength(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private static byte[] ours(float[] values, int from, int length) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ArrayBytes.write(values, from, length, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static byte[] nd4j(INDArray array) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Nd4j.write(array, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static float[] values(int length) {
    Random random = new Random(length);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }
}
