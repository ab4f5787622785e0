package dev.millrace.job.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.rows.RowChange;
import dev.millrace.exchange.rows.InitialRow;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.kafka.sink.OutputRecord;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Others read these bytes, and copies of older releases have them. */
class RowRecordsTest {

  private static final RowTable USERS = RowTable.of("usérs", 2);
  private static final byte[] NAME = {'u', 's', (byte) 0xc3, (byte) 0xa9, 'r', 's', (byte) 0xff};

  @Test
  void aRowIsItsTableAndIdAndFloatsOfTheLowestByteFirst() {
    OutputRecord row = record(new RowChange(0, 0x0102030405060708L, new float[] {1, -0.5f}));

    assertThat(row.keyOrNull())
        .isEqualTo(
            new byte[] {
              'u', 's', (byte) 0xc3, (byte) 0xa9, 'r', 's', (byte) 0xff, 1, 2, 3, 4, 5, 6, 7, 8
            });
    assertThat(row.valueOrNull())
        .isEqualTo(new byte[] {0, 0, (byte) 0x80, 0x3f, 0, 0, 0, (byte) 0xbf});
  }

  @Test
  void aRowThatWasRemovedHasNoValue() {
    OutputRecord row = record(new RowChange(0, -1, null));

    assertThat(row.keyOrNull()).startsWith(NAME).hasSize(NAME.length + Long.BYTES);
    assertThat(row.valueOrNull()).isNull();
  }

  @Test
  void aTableSaysWhatIdsWithoutARowReadAs() throws IOException {
    RowTable table = USERS.with(new InitialRow(InitialRow.Shape.UNIFORM, 0.1f, -7));

    byte[] described = RowRecords.describe(table);

    assertThat(new String(described, UTF_8))
        .isEqualTo(
            "{\"format\":1,\"dimension\":2,\"initial\":\"uniform\",\"spread\":0.1,\"seed\":-7}");
    RowTable read = RowRecords.table("usérs", described);
    assertThat(read.initial()).isEqualTo(table.initial());
    assertThat(read.dimension()).isEqualTo(2);
    assertThat(read.hash()).isEqualTo(table.hash());
    assertThat(record(new RowChange(0, 0, new float[0])).keyOrNull()).isEqualTo(NAME);
  }

  /** Any spread of a float is the same float again, or initial values would differ. */
  @Test
  void aSpreadIsTheSameFloatAgain() throws IOException {
    for (float spread : new float[] {0, 0.01f, 1e-30f, Float.MIN_VALUE, 1 / 3f}) {
      RowTable table = USERS.with(new InitialRow(InitialRow.Shape.NORMAL, spread, Long.MIN_VALUE));

      assertThat(RowRecords.table("usérs", RowRecords.describe(table)).initial())
          .isEqualTo(table.initial());
    }
  }

  @Test
  void aTableOfALaterReleaseOrADamagedOneIsRefused() {
    assertThatThrownBy(() -> RowRecords.table("users", "{\"format\":2}".getBytes(UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessage("rows have the format 2, and this release reads 1");
    assertThatThrownBy(() -> RowRecords.table("users", "{".getBytes(UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("its record is damaged");
    assertThatThrownBy(
            () ->
                RowRecords.table(
                    "users",
                    "{\"format\":1,\"dimension\":0,\"initial\":\"normal\"}".getBytes(UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("its record is damaged");
  }

  @Test
  void keysOfOthersAreKnown() {
    assertThat(RowRecords.isKey(NAME)).isTrue();
    assertThat(RowRecords.isKey(RowRecords.key(NAME, 255))).isTrue();
    assertThat(RowRecords.isKey(RowRecords.key(NAME, 0))).isTrue();
    assertThat(RowRecords.isKey("someone else's".getBytes(UTF_8))).isFalse();
    assertThat(RowRecords.isKey(new byte[0])).isFalse();
    assertThat(RowRecords.isKey(new byte[] {(byte) 0xff})).isFalse();
  }

  private static OutputRecord record(RowChange change) {
    return new RowWriter("rows", List.of(USERS)).record(change);
  }
}
