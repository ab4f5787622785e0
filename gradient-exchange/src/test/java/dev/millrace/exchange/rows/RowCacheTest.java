package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowCacheTest {

  private final RowFormat format = new RowFormat(RowTable.of("users", 2));
  private final HeapRowStore store = new HeapRowStore(id -> 0);

  private RowCache cache(int capacity) {
    return new RowCache(format, store, capacity, new TableChanges(RowChanges.NONE, 0));
  }

  private static int row(RowCache cache, long id) {
    int row = cache.use(id);
    return row < 0 ? cache.load(id) : row;
  }

  private static void put(RowCache cache, long id, long uses) {
    int row = row(cache, id);
    cache.floats(row)[cache.at(row)] = id;
    cache.change(row, 1, uses, uses);
  }

  /** Beyond one piece of the arena, and with an index that grows, too. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 100, 4_096, 9_000})
  void withTheStoreItIsAMapWhateverItsSize(int capacity) {
    long seed = Seeds.next();
    System.out.printf("A cache of %s rows: seed %s%n", capacity, seed);
    Random random = new Random(seed);
    RowCache cache = cache(capacity);
    Map<Long, Long> expected = new HashMap<>();
    int ids = 2 * capacity + 3;
    for (int step = 0; step < 20 * ids; step++) {
      long id = random.nextInt(ids) * (1L << 40);
      int row = row(cache, id);
      assertThat(cache.absent(row)).as("seed %s", seed).isEqualTo(!expected.containsKey(id));
      if (!cache.absent(row)) {
        assertThat(cache.uses(row)).as("seed %s", seed).isEqualTo(expected.get(id));
        assertThat(cache.lastUse(row)).isEqualTo(expected.get(id));
        assertThat(cache.epoch(row)).isOne();
        assertThat(cache.floats(row)[cache.at(row)]).isEqualTo((float) id);
      }
      switch (random.nextInt(8)) {
        case 0 -> {
          if (!cache.absent(row)) {
            cache.remove(row);
            expected.remove(id);
          }
        }
        case 1 -> cache.writeCold(random.nextInt(3));
        case 2, 3, 4 -> {
          put(cache, id, step);
          expected.put(id, (long) step);
        }
        default -> {}
      }
    }
    cache.flush();
    assertThat(cache.dirty()).isZero();
    Map<Long, Long> saved = new HashMap<>();
    store.rows.forEach((id, bytes) -> saved.put(id, RowFormat.uses(bytes)));
    assertThat(saved).as("seed %s", seed).isEqualTo(expected);
  }

  @Test
  void whatIsUsedAgainStaysAndWhatIsNotGoes() {
    RowCache cache = cache(3);
    for (int id = 0; id < 3; id++) {
      put(cache, id, 1);
    }
    // The hand goes round once, and takes the first.
    put(cache, 3, 1);
    assertThat(cache.find(0)).isNegative();
    cache.use(1);
    put(cache, 4, 1);
    assertThat(cache.find(1)).isNotNegative();
    assertThat(cache.find(2)).isNegative();
    assertThat(store.rows).containsOnlyKeys(0L, 2L);
  }

  @Test
  void anAbsentRowIsLookedForOnceAndWritesNothing() {
    RowCache cache = cache(2);
    assertThat(cache.absent(row(cache, 5))).isTrue();
    assertThat(cache.absent(row(cache, 5))).isTrue();
    assertThat(store.gets).isOne();
    assertThat(cache.hits()).isOne();
    assertThat(cache.misses()).isOne();
    row(cache, 6);
    row(cache, 7);
    cache.flush();
    assertThat(store.puts).isZero();
  }

  @Test
  void cleanRowsAreNotWritten() {
    RowCache cache = cache(1);
    put(cache, 1, 1);
    cache.flush();
    cache.flush();
    row(cache, 2);
    row(cache, 1);
    row(cache, 2);
    assertThat(store.puts).isOne();
    assertThat(cache.written()).isOne();
  }

  /** A row that changes all the time would be written all the time. */
  @Test
  void onlyRowsThatNoLongerChangeAreWrittenAhead() {
    RowCache cache = cache(100);
    for (int id = 0; id < 10; id++) {
      put(cache, id, 1);
    }
    cache.writeCold(10);
    assertThat(store.puts).as("all were changed since the last time").isZero();
    put(cache, 3, 2);

    cache.writeCold(4);
    assertThat(store.puts).isEqualTo(4);
    cache.writeCold(10);
    // 3 was looked at in the first of the two.
    assertThat(store.rows).hasSize(10);
    assertThat(RowFormat.uses(store.rows.get(3L))).isEqualTo(2);
    assertThat(cache.dirty()).isZero();
  }

  @Test
  void aDamagedRowIsToldOf() {
    store.rows.put(1L, new byte[5]);
    RowCache cache = cache(1);
    assertThatThrownBy(() -> cache.load(1)).isInstanceOf(DamagedRowException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, RowCache.MOST_ROWS + 1})
  void anImpossibleSizeIsRefused(int capacity) {
    assertThatThrownBy(() -> cache(capacity)).hasMessageContaining("room for " + capacity);
  }
}
