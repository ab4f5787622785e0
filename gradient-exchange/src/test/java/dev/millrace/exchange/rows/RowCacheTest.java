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
    int row = cache.use(-1, id);
    return row < 0 ? cache.load(id, Long.MAX_VALUE) : row;
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
        case 1, 2, 3 -> {
          put(cache, id, step);
          expected.put(id, (long) step);
        }
        default -> {}
      }
    }
    Map<Long, Long> all = new HashMap<>();
    store.rows.forEach((id, bytes) -> all.put(id, RowFormat.uses(bytes, 0)));
    for (int lies = 0; lies < cache.size(); lies++) {
      if (!cache.absent(lies)) {
        all.put(cache.id(lies), cache.uses(lies));
      }
    }
    assertThat(all).as("seed %s", seed).isEqualTo(expected);
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
    cache.use(-1, 1);
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
    assertThat(store.puts).isZero();
  }

  @Test
  void cleanRowsAreNotWritten() {
    RowCache cache = cache(1);
    put(cache, 1, 1);
    row(cache, 2);
    row(cache, 1);
    row(cache, 2);
    assertThat(store.puts).isOne();
    assertThat(cache.written()).isOne();
  }

  @Test
  void aStoreIsNotAskedOnceAllRowsAreHere() {
    RowCache cache = cache(4);
    put(cache, 1, 1);
    put(cache, 2, 1);
    store.gets = 0;
    assertThat(cache.absent(cache.load(3, 2))).isTrue();
    assertThat(store.gets).isZero();
    cache.load(4, 3);
    assertThat(store.gets).isOne();
    cache.remove(cache.find(2));
    cache.load(5, 1);
    assertThat(store.gets).isOne();
    // In the place of 1.
    cache.use(-1, 3);
    cache.use(-1, 4);
    cache.use(-1, 5);
    for (long id = 6; cache.find(1) >= 0; id++) {
      cache.load(id, 1);
    }
    store.gets = 0;
    cache.load(100, 1);
    assertThat(store.gets).as("one row is in the store").isOne();
  }

  @Test
  void aDamagedRowIsToldOf() {
    store.rows.put(1L, new byte[5]);
    RowCache cache = cache(1);
    assertThatThrownBy(() -> cache.load(1, 1)).isInstanceOf(DamagedRowException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, RowCache.MOST_ROWS + 1})
  void anImpossibleSizeIsRefused(int capacity) {
    assertThatThrownBy(() -> cache(capacity)).hasMessageContaining("room for " + capacity);
  }
}
