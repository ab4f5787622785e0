package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.minibatch.RecordClock;
import dev.millrace.model.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowJournalTest {

  private static final RowTable USERS = RowTable.of("users", 2);
  private static final int GROUPS = 4;

  private final RowFormat format = new RowFormat(USERS);
  private HeapRowStore store = new HeapRowStore(RowJournalTest::groupOf);
  private TableGroups groups;
  private RowCache cache;
  private RowJournal journal;

  private static int groupOf(long id) {
    return (int) Math.floorMod(id, (long) GROUPS);
  }

  /** Goes on from what the store has. */
  private void start(int capacity) {
    groups =
        new TableGroups(
            USERS,
            store,
            new KeyGroups(0, GROUPS - 1, GROUPS, RowJournalTest::groupOf),
            RecordClock.at(0));
    cache = new RowCache(format, store, capacity, new TableChanges(RowChanges.NONE, 0));
    journal = new RowJournal(USERS, format, store, groups, cache);
    journal.load();
  }

  private int row(long id) {
    int row = cache.use(-1, id);
    return row < 0 ? cache.load(id, groups.rows()) : row;
  }

  private void put(long id, long uses) {
    int row = row(id);
    if (cache.absent(row)) {
      groups.add(groups.of(id), 1);
    }
    cache.floats(row)[cache.at(row)] = uses;
    cache.change(row, 1, uses, uses);
  }

  private void remove(long id) {
    int row = row(id);
    if (!cache.absent(row)) {
      groups.add(groups.of(id), -1);
      cache.remove(row);
    }
  }

  private void save() {
    journal.write();
    groups.save(RecordClock.at(0), true);
  }

  /** What is saved is one cut: it has nothing of what comes behind a barrier. */
  private HeapRowStore copy() {
    HeapRowStore copy = new HeapRowStore(RowJournalTest::groupOf);
    copy.take(store, 0, GROUPS - 1);
    return copy;
  }

  private static Map<Long, Long> uses(HeapRowStore saved) {
    Map<Long, Long> uses = new HashMap<>();
    saved.saved().forEach((id, bytes) -> uses.put(id, RowFormat.uses(bytes, 0)));
    return uses;
  }

  /** As whoever reads a savepoint finds them: sheets in any order, then both. */
  private Map<Long, Long> read(HeapRowStore saved, Random random) throws Exception {
    List<byte[]> sheets = new ArrayList<>(saved.sheets.values());
    Collections.shuffle(sheets, random);
    SavedJournal journals = new SavedJournal();
    sheets.forEach(journals::note);
    Map<Long, Long> uses = new HashMap<>();
    SavedRow row =
        new SavedRow(new SavedTable("users", 2, USERS.updater().name(), groups.counts(cache)));
    for (byte[] sheet : sheets) {
      journals.read(
          sheet, row, each -> assertThat(uses.put(each.id(), each.uses())).as("twice").isNull());
    }
    saved.rows.forEach(
        (id, bytes) -> {
          if (!journals.has(id)) {
            assertThat(uses.put(id, RowFormat.uses(bytes, 0))).as("twice").isNull();
          }
        });
    return uses;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 60, 10_000})
  void whatIsSavedAtABarrierIsAllRowsAndGoesOnFromThere(int capacity) throws Exception {
    long seed = Seeds.next();
    System.out.printf("A journal of %s rows: seed %s%n", capacity, seed);
    Random random = new Random(seed);
    Map<Long, Long> expected = new HashMap<>();
    HeapRowStore saved = copy();
    Map<Long, Long> expectedSaved = Map.of();
    start(capacity);
    for (int step = 1; step < 6_000; step++) {
      // Some are used again and again, and some hardly.
      long id = random.nextInt(random.nextInt(20) == 0 ? 300 : 40) * (1L << 33);
      id += random.nextInt(GROUPS);
      switch (random.nextInt(60)) {
        case 0 -> {
          save();
          saved = copy();
          expectedSaved = Map.copyOf(expected);
          assertThat(uses(saved)).as("seed %s", seed).isEqualTo(expected);
          assertThat(read(saved, random)).as("seed %s", seed).isEqualTo(expected);
          assertThat(cache.dirty()).isZero();
        }
        case 1 -> {
          if (random.nextInt(20) == 0) {
            store = saved;
            saved = copy();
            start(random.nextBoolean() ? capacity : 1 + random.nextInt(60));
            expected = new HashMap<>(expectedSaved);
          }
        }
        case 2 -> {
          remove(id);
          expected.remove(id);
        }
        case 3, 4, 5 -> {
          int row = row(id);
          assertThat(cache.absent(row) ? null : cache.uses(row))
              .as("seed %s, row %s", seed, id)
              .isEqualTo(expected.get(id));
        }
        default -> {
          put(id, step);
          expected.put(id, (long) step);
        }
      }
    }
  }

  @Test
  void rowsOfTheCacheAreNotWrittenUnderTheirIds() {
    start(100);
    for (int barrier = 0; barrier < 100; barrier++) {
      for (long id = 0; id < 50; id++) {
        put(id, barrier);
      }
      save();
    }
    assertThat(store.rows).isEmpty();
    assertThat(store.puts).isZero();
    start(100);
    assertThat(cache.size()).isEqualTo(50);
    assertThat(store.gets).isZero();
  }

  /** Twice the rows, what one barrier adds, and some that are of no use. */
  @Test
  void aJournalHasNoMoreThanAboutTwiceItsRows() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    start(10_000);
    for (long id = 0; id < 4_000; id++) {
      put(id, 0);
    }
    for (int barrier = 1; barrier < 200; barrier++) {
      for (int i = 0; i < 400; i++) {
        put(random.nextInt(4_000), barrier);
      }
      save();
      int entries =
          store.sheets.values().stream().map(RowSheet::read).mapToInt(RowSheet::rows).sum();
      assertThat(entries)
          .as("seed %s, barrier %s", seed, barrier)
          .isLessThan(2 * 4_000 + 2 * 400 + GROUPS * 100);
    }
    assertThat(uses(store)).hasSize(4_000);
  }

  @Test
  void nothingIsWrittenWhereNothingHasChanged() {
    start(10);
    put(1, 1);
    save();
    Map<List<Integer>, byte[]> before = Map.copyOf(store.sheets);
    save();
    row(1);
    row(2);
    save();
    assertThat(store.sheets).isEqualTo(before).hasSize(1);
  }

  @Test
  void aSheetThatIsLostOrDamagedIsToldOf() {
    start(10);
    put(1, 1);
    save();
    put(5, 1);
    save();
    byte[] sheet = store.sheets.get(List.of(1, 0));
    store.sheets.remove(List.of(1, 0));
    assertThatThrownBy(() -> start(10))
        .isInstanceOf(DamagedRowException.class)
        .hasMessageContaining("Key group 1 of table 'users' has lost sheet 0");
    store.sheets.put(List.of(1, 0), store.sheets.get(List.of(1, 1)));
    assertThatThrownBy(() -> start(10)).hasMessageContaining("has lost sheet 0");
    for (int length = 0; length < sheet.length; length++) {
      store.sheets.put(List.of(1, 0), Arrays.copyOf(sheet, length));
      assertThatThrownBy(() -> start(10))
          .isInstanceOf(DamagedRowException.class)
          .hasMessageContaining("%s bytes".formatted(length));
    }
    store.sheets.put(List.of(1, 0), sheet);
    start(10);
    assertThat(cache.size()).isEqualTo(2);
  }
}
