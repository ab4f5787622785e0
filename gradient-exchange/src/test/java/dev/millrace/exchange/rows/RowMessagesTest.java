package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.io.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class RowMessagesTest {

  private static <T> T copy(WireFormat<T> format, T message) throws IOException {
    return read(format, write(format, message));
  }

  private static <T> byte[] write(WireFormat<T> format, T message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    format.write(message, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static <T> T read(WireFormat<T> format, byte[] bytes) throws IOException {
    return format.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private static RowPush push(int... uses) {
    return new RowPush(
        3,
        new int[] {1, 1},
        new long[] {-5},
        1,
        70,
        uses,
        new float[] {0.5f, -2},
        new RowMinibatch(0.25f, 99, 8, 3));
  }

  @Test
  void messagesArriveAsTheyWereSent() throws IOException {
    RowPull pull = new RowPull(3, new int[] {1, 2}, new long[] {-5, 7}, 1, 70, "here/1");
    RowAnswer answer = new RowAnswer(3, 70, new float[] {1, 2});

    assertThat(copy(RowMessage.WIRE, pull)).usingRecursiveComparison().isEqualTo(pull);
    assertThat(copy(RowMessage.WIRE, push(2))).usingRecursiveComparison().isEqualTo(push(2));
    assertThat(copy(RowAnswer.WIRE, answer)).usingRecursiveComparison().isEqualTo(answer);
  }

  @Test
  void whatNobodyCanHaveSentIsRefused() throws IOException {
    assertThatThrownBy(() -> push(0)).hasMessage("A push has an id with 0 uses");
    assertThatThrownBy(() -> new RowPull(0, new int[] {2}, new long[] {1}, 0, 0, ""))
        .hasMessage("The ids of the tables end at 2, and there are 1");
    byte[] bytes = write(RowMessage.WIRE, push(2));
    bytes[1] = 'X';
    assertThatThrownBy(() -> read(RowMessage.WIRE, bytes))
        .isInstanceOf(IOException.class)
        .hasMessage("Unknown kind of row message: 88");
  }
}
