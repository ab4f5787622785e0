package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.minibatch.RecordClock;
import dev.millrace.model.testing.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowFormatTest {

  private static final RowTable TABLE = RowTable.of("users", 3);

  private final RowFormat format = new RowFormat(TABLE);
  private final byte[] bytes = new byte[format.length()];

  private void check(long id, byte[] row) {
    format.check(id, row, 0, row.length);
  }

  @Test
  void anyRowComesBack() {
    long seed = Seeds.next();
    System.out.printf("Rows as bytes: seed %s%n", seed);
    Random random = new Random(seed);
    for (int run = 0; run < 1_000; run++) {
      int epoch = random.nextInt(RowFormat.MOST_EPOCH + 1);
      long uses = random.nextLong() & RowFormat.MOST_USES;
      long lastUse = random.nextLong() % RecordClock.EARLIEST;
      float[] row = {9, random.nextFloat(), -0.0f, Float.MIN_VALUE, Float.MAX_VALUE, 9};

      format.encode(bytes, 0, epoch, uses, lastUse, row, 1);

      check(1, bytes);
      assertThat(RowFormat.epoch(bytes, 0)).as("seed %s", seed).isEqualTo(epoch);
      assertThat(RowFormat.uses(bytes, 0)).as("seed %s", seed).isEqualTo(uses);
      assertThat(RowFormat.lastUse(bytes, 0)).as("seed %s", seed).isEqualTo(lastUse);
      float[] back = new float[6];
      format.floats(bytes, 0, back, 1);
      assertThat(Arrays.copyOfRange(back, 1, 5)).isEqualTo(Arrays.copyOfRange(row, 1, 5));
      assertThat(back[0] + back[5]).isZero();
      byte[] among = new byte[bytes.length + 7];
      format.encode(among, 5, epoch, uses, lastUse, row, 1);
      assertThat(Arrays.copyOfRange(among, 5, 5 + bytes.length)).isEqualTo(bytes);
      format.check(1, among, 5, bytes.length);
      assertThat(RowFormat.uses(among, 5)).isEqualTo(uses);
      assertThat(RowFormat.lastUse(among, 5)).isEqualTo(lastUse);
      assertThat(RowFormat.epoch(among, 5)).isEqualTo(epoch);
    }
  }

  @Test
  void theEndsOfRangesComeBack() {
    for (long lastUse : new long[] {RecordClock.EARLIEST, -RecordClock.EARLIEST, -1, 0}) {
      format.encode(bytes, 0, RowFormat.MOST_EPOCH, RowFormat.MOST_USES, lastUse, new float[4], 0);
      assertThat(RowFormat.epoch(bytes, 0)).isEqualTo(RowFormat.MOST_EPOCH);
      assertThat(RowFormat.uses(bytes, 0)).isEqualTo(RowFormat.MOST_USES);
      assertThat(RowFormat.lastUse(bytes, 0)).isEqualTo(lastUse);
    }
  }

  /** States of releases have these bytes. */
  @Test
  void theLayoutIsThatOfTheComment() {
    format.encode(bytes, 0, 0x0201, 0x060504030201L, 0x0A0908070605L, new float[] {1, 2, 3, 4}, 0);
    assertThat(Arrays.copyOf(bytes, 20))
        .containsExactly(1, 0, 1, 2, 1, 2, 3, 4, 5, 6, 5, 6, 7, 8, 9, 10, 0, 0, 0x80, 0x3F);
  }

  @Test
  void damagedBytesAreRefused() {
    format.encode(bytes, 0, 0, 1, 1, new float[4], 0);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> check(7, cut))
          .isInstanceOf(DamagedRowException.class)
          .hasMessageContaining("Row 7 of table 'users' has %s bytes".formatted(length));
    }
    assertThatThrownBy(() -> check(7, Arrays.copyOf(bytes, bytes.length + 4)))
        .hasMessageContaining("dimension and updater");
    for (int at = 0; at < 2; at++) {
      byte[] other = bytes.clone();
      other[at] = -1;
      assertThatThrownBy(() -> check(7, other))
          .isInstanceOf(DamagedRowException.class)
          .hasMessageContaining("format version")
          .hasMessageContaining("255");
    }
    for (float value : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      format.encode(bytes, 0, 0, 1, 1, new float[] {0, 0, value, 0}, 0);
      assertThatThrownBy(() -> check(7, bytes))
          .isInstanceOf(DamagedRowException.class)
          .hasMessageContaining(value + " as its float 2");
    }
  }

  /** Whatever the bytes are, they are refused, or are a row that comes back as it is. */
  @Test
  void randomDamageIsRefusedOrIsARow() {
    long seed = Seeds.next();
    System.out.printf("Damaged rows: seed %s%n", seed);
    Random random = new Random(seed);
    int refused = 0;
    for (int run = 0; run < 5_000; run++) {
      format.encode(bytes, 0, 3, 5, 7, new float[] {1, 2, 3, 4}, 0);
      for (int n = 1 + random.nextInt(4); n > 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        check(1, bytes);
      } catch (DamagedRowException e) {
        refused++;
        continue;
      }
      float[] row = new float[4];
      format.floats(bytes, 0, row, 0);
      byte[] again = new byte[bytes.length];
      format.encode(
          again,
          0,
          RowFormat.epoch(bytes, 0),
          RowFormat.uses(bytes, 0),
          RowFormat.lastUse(bytes, 0),
          row,
          0);
      assertThat(again).as("seed %s", seed).isEqualTo(bytes);
    }
    assertThat(refused).isPositive();
  }
}
