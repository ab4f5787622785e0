package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RowMessageTest {

  private static final RowPull PULL =
      new RowPull(
          3, new int[] {1, 1, 3}, new long[] {5, -6, Long.MIN_VALUE}, 2, 1L << 40, "home", true);
  private static final RowPush PUSH =
      new RowPush(
          3,
          new int[] {0, 2},
          new long[] {5, -6},
          2,
          1L << 40,
          new int[] {1, 70_000},
          new float[] {1, 2, Float.NEGATIVE_INFINITY},
          new RowMinibatch(0.5f, RowPush.NO_TIME, 256, 65_535));
  private static final RowRound ROUND = new RowRound(3, 2, 1L << 40);
  private static final RowAnswer ANSWER =
      new RowAnswer(3, 1L << 40, new float[] {1, -0.0f}, new int[] {7});

  private static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  @Test
  void comeBackAsTheyWere() {
    for (RowMessage message : new RowMessage[] {PULL, PUSH, ROUND}) {
      assertThat(SimulatedRows.message(SimulatedRows.bytes(message)))
          .usingRecursiveComparison()
          .isEqualTo(message);
    }
    assertThat(SimulatedRows.answer(SimulatedRows.bytes(ANSWER)))
        .usingRecursiveComparison()
        .isEqualTo(ANSWER);
  }

  @Test
  void damagedBytesAreRefused() {
    for (RowMessage message : new RowMessage[] {PULL, PUSH}) {
      byte[] bytes = SimulatedRows.bytes(message);
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> RowMessage.WIRE.read(in(cut))).isInstanceOf(IOException.class);
      }
      byte[] kind = bytes.clone();
      kind[1] = '?';
      assertThatThrownBy(() -> RowMessage.WIRE.read(in(kind))).hasMessageContaining("63");
      byte[] ends = bytes.clone();
      ends[10] = 9;
      assertThatThrownBy(() -> RowMessage.WIRE.read(in(ends)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("9");
    }
    byte[] round = SimulatedRows.bytes(ROUND);
    round[10] = -1;
    assertThatThrownBy(() -> RowMessage.WIRE.read(in(round)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("at least 0");
    byte[] bytes = SimulatedRows.bytes(ANSWER);
    bytes[0] = 9;
    assertThatThrownBy(() -> RowAnswer.WIRE.read(in(bytes))).hasMessageContaining("version 9");
  }

  @Test
  void endsAndUsesMustFitTheIds() {
    long[] ids = {1, 2};
    assertThatThrownBy(() -> new RowPull(0, new int[] {2, 1}, ids, 0, 1, "", false))
        .hasMessage("Ids of a table end at 1, after 2");
    assertThatThrownBy(() -> new RowPull(0, new int[] {1}, ids, 0, 1, "", false))
        .hasMessage("The ids of the tables end at 1, and there are 2");
    RowMinibatch minibatch = PUSH.minibatch();
    assertThatThrownBy(
            () -> new RowPush(0, new int[] {2}, ids, 0, 1, new int[1], new float[2], minibatch))
        .hasMessageContaining("2 ids, and uses of 1");
    assertThatThrownBy(
            () ->
                new RowPush(
                    0, new int[] {2}, ids, 0, 1, new int[] {1, -1}, new float[2], minibatch))
        .hasMessageContaining("with -1 uses");
  }
}
