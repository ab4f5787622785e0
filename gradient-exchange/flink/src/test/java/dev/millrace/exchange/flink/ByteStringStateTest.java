package dev.millrace.exchange.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.flink.ByteStringState.Deferred;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Random;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Byte strings of a checkpoint are written in pieces, and so may be larger than an array. */
class ByteStringStateTest {

  private static final int PIECE = PieceOutputStream.PIECE_BYTES;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 3 * PIECE + 7})
  void areReadAsTheyWereWritten(int length) throws IOException {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    Deferred deferred = out -> out.write(bytes);

    for (Object string : List.of(new ByteString(List.of(bytes)), deferred)) {
      DataOutputSerializer out = new DataOutputSerializer(64);
      ByteStringSerializer.INSTANCE.serialize(string, out);
      DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
      ByteString read = ByteStringSerializer.INSTANCE.deserialize(in);

      assertThat(in.available()).isZero();
      assertThat(read.toArray()).isEqualTo(bytes);
      assertThat(read.read().readAllBytes()).isEqualTo(bytes);
    }
  }

  @Test
  void numbersAreReadAcrossPieces() throws IOException {
    ByteString string =
        new ByteString(List.of(new byte[] {0, 0}, new byte[] {1}, new byte[] {2, 0, 0, 0, 3}));

    try (DataInputStream in = string.read()) {
      assertThat(in.readInt()).isEqualTo(0x0102);
      assertThat(in.readInt()).isEqualTo(3);
    }
  }

  @Test
  void mayBeLargerThanAnArray() throws IOException {
    long most = Integer.MAX_VALUE + 5L;
    byte[] some = new byte[1 << 20];
    long[] written = {0};
    OutputStream counter =
        new OutputStream() {
          @Override
          public void write(int oneByte) {
            written[0]++;
          }

          @Override
          public void write(byte[] bytes, int offset, int length) {
            written[0] += length;
          }
        };
    Deferred large =
        out -> {
          for (long left = most; left > 0; left -= some.length) {
            out.write(some, 0, (int) Math.min(left, some.length));
          }
        };

    ByteStringSerializer.INSTANCE.serialize(large, new DataOutputViewStreamWrapper(counter));

    long pieces = (most + PIECE - 1) / PIECE;
    assertThat(written[0]).isEqualTo(most + Integer.BYTES * (pieces + 1));
  }
}
