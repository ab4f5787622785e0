package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CountingSketchTest {

  @Test
  void aCountIsNeverTooLowForTheTwoGenerations() {
    long seed = Seeds.next();
    System.out.printf("A counting sketch: seed %s%n", seed);
    Random random = new Random(seed);
    CountingSketch sketch = new CountingSketch(256);
    Map<Long, Integer> younger = new HashMap<>();
    Map<Long, Integer> older = new HashMap<>();
    long turns = 0;
    for (int i = 0; i < 50_000; i++) {
      long id = (long) (random.nextDouble() * random.nextDouble() * 2_000);
      int uses = 1 + random.nextInt(3);
      younger.merge(id, uses, Integer::sum);
      int exact = younger.get(id) + older.getOrDefault(id, 0);
      assertThat(sketch.add(id, uses))
          .as("seed %s", seed)
          .isGreaterThanOrEqualTo(Math.min(exact, CountingSketch.MOST_USES));
      if (sketch.turns() > turns) {
        assertThat(younger.size()).as("seed %s", seed).isGreaterThanOrEqualTo(256 / 8);
        turns = sketch.turns();
        older = younger;
        younger = new HashMap<>();
      }
    }
    assertThat(turns).isGreaterThan(10);
  }

  @Test
  void fewIdsAreCountedTooHighHoweverManyCome() {
    CountingSketch sketch = new CountingSketch(1 << 12);
    int tooHigh = 0;
    int ids = 100_000;
    for (long id = 0; id < ids; id++) {
      tooHigh += sketch.add(id, 1) > 1 ? 1 : 0;
    }
    assertThat(sketch.turns()).isGreaterThan(50);
    assertThat(tooHigh / (double) ids).isLessThan(0.125);
  }

  @Test
  void manyUsesAtOnceStayInACell() {
    CountingSketch sketch = new CountingSketch(64);
    assertThat(sketch.add(1, 3)).isEqualTo(3);
    assertThat(sketch.add(1, Integer.MAX_VALUE)).isEqualTo(CountingSketch.MOST_USES);
    assertThat(sketch.add(1, 1)).isEqualTo(CountingSketch.MOST_USES);
  }

  @Test
  void goesOnAsIfItHadNotBeenSaved() throws IOException {
    CountingSketch sketch = new CountingSketch(64);
    CountingSketch saved = new CountingSketch(64);
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      int id = random.nextInt(60);
      assertThat(saved.add(id, 1)).isEqualTo(sketch.add(id, 1));
      saved = CountingSketch.read(in(bytes(saved)));
    }
    assertThat(saved.turns()).isEqualTo(sketch.turns()).isPositive();
    assertThat(saved.cells()).isEqualTo(64);
  }

  private static byte[] bytes(CountingSketch sketch) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    sketch.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  @Test
  void damagedBytesAreRefused() throws IOException {
    byte[] bytes = bytes(new CountingSketch(64));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> CountingSketch.read(in(cut))).isInstanceOf(IOException.class);
    }
    byte[] version = bytes.clone();
    version[0] = 2;
    assertThatThrownBy(() -> CountingSketch.read(in(version))).hasMessageContaining("version 2");
    byte[] size = bytes.clone();
    size[12] = 63;
    assertThatThrownBy(() -> CountingSketch.read(in(size)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("63 cells");
  }
}
