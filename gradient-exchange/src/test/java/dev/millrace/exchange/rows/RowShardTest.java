package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.minibatch.RecordClock;
import dev.millrace.model.testing.Seeds;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowShardTest {

  private static final RowTable USERS = RowTable.of("users", 2).with(RowUpdater.named("sgd", 1, 0));
  private static final int GROUPS = 4;

  private final HeapRowStore store = new HeapRowStore(RowShardTest::groupOf);

  private static int groupOf(long id) {
    return (int) Math.floorMod(id, (long) GROUPS);
  }

  private RowShard shard(RowTable table) {
    return shard(table, 10);
  }

  private RowShard shard(RowTable table, int cached) {
    KeyGroups all = new KeyGroups(0, GROUPS - 1, GROUPS, RowShardTest::groupOf);
    return new RowShard(List.of(table), List.of(store), all, cached);
  }

  private static RowMinibatch at(long time) {
    return new RowMinibatch(1, time, 1, 0);
  }

  private static void push(RowShard shard, long id, float gradient, RowMinibatch minibatch) {
    shard.advance(minibatch);
    float[] gradients = {gradient, gradient};
    shard.push(0, new long[] {id}, 0, 1, gradients, 0, new int[] {1}, minibatch);
  }

  private static float[] pull(RowShard shard, long id) {
    float[] values = new float[2];
    shard.pull(0, new long[] {id}, 0, 1, values, 0, new int[1]);
    return values;
  }

  private static float[] initial(RowTable table, long id) {
    float[] values = new float[2];
    table.initial().fill(table.hash(), id, values, 0, 2);
    return values;
  }

  /** Has the rows that it was told of. */
  private static final class Told implements RowChanges {

    final Map<Long, float[]> rows = new HashMap<>();
    private final long number;

    Told(long number) {
      this.number = number;
    }

    @Override
    public long listener() {
      return number;
    }

    @Override
    public void changed(int table, long id, float[] floats, int at) {
      rows.put(id, Arrays.copyOfRange(floats, at, at + 2));
    }

    @Override
    public void removed(int table, long id) {
      rows.remove(id);
    }
  }

  @Test
  void whoeverIsToldOfChangesKnowsAllRows() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    Told told = new Told(1);
    KeyGroups all = new KeyGroups(0, GROUPS - 1, GROUPS, RowShardTest::groupOf);
    RowTable table = USERS.with(Expiry.afterExamples(40));
    RowShard shard = new RowShard(List.of(table), List.of(store), all, told, 7);
    for (int i = 0; i < 2_000; i++) {
      push(shard, random.nextInt(30), random.nextFloat(), at(RowPush.NO_TIME));
      shard.sweep(random.nextInt(4));
      if (random.nextInt(20) == 0) {
        shard.flush();
      }
      if (random.nextInt(20) == 0) {
        shard.tell();
      }
    }
    // A pass over all rows begins that finds what has expired.
    shard.flush();
    shard.advance(new RowMinibatch(1, RowPush.NO_TIME, 6, 0));
    shard.sweep(1_000);
    shard.tell();

    assertThat(told.rows).as("seed %s", seed).hasSize((int) shard.counts(0).rows());
    for (long id = 0; id < 30; id++) {
      assertThat(told.rows.getOrDefault(id, initial(table, id)))
          .as("seed %s, row %s", seed, id)
          .isEqualTo(pull(shard, id));
    }
  }

  @Test
  void rowsThatChangedBeforeAnybodyWasToldAreToldOfOnce() {
    RowShard before = shard(USERS);
    for (long id = 0; id < 20; id++) {
      push(before, id, 1, at(0));
    }
    before.flush();

    Told told = new Told(1);
    RowShard shard = telling(told);
    push(shard, 3, 1, at(0));
    shard.tell();
    assertThat(told.rows).hasSize(20);
    assertThat(told.rows.get(3L)).isEqualTo(pull(shard, 3));
    shard.flush();

    Told next = new Told(1);
    RowShard later = telling(next);
    later.tell();
    assertThat(next.rows).isEmpty();
    push(later, 4, 1, at(0));
    later.tell();
    assertThat(next.rows).containsOnlyKeys(4L);
    later.flush();

    Told another = new Told(2);
    assertThat(telling(another).tell()).isFalse();
    assertThat(another.rows).as("a listener at another place").hasSize(20);
  }

  private RowShard telling(RowChanges changes) {
    KeyGroups all = new KeyGroups(0, GROUPS - 1, GROUPS, RowShardTest::groupOf);
    return new RowShard(List.of(USERS), List.of(store), all, changes, 10);
  }

  @Test
  void aPullGivesInitialValuesAndMakesNothing() {
    RowShard shard = shard(USERS, 1);
    for (long id = 0; id < 20; id++) {
      assertThat(pull(shard, id)).isEqualTo(initial(USERS, id));
    }
    shard.flush();
    assertThat(store.saved()).isEmpty();
    assertThat(shard.counts(0)).isEqualTo(new RowCounts(0, 0, 0, 0, 0, 0, 0, 0, 20, 0));
  }

  @Test
  void aPushMakesARowOfItsInitialValuesScaled() {
    RowShard shard = shard(USERS);
    shard.advance(at(5));
    shard.push(
        0,
        new long[] {9, 1, 2},
        1,
        2,
        new float[] {9, 1, 2, 3, 4},
        1,
        new int[] {9, 3, 4},
        new RowMinibatch(0.5f, 5, 7, 0));
    shard.flush();
    assertThat(pull(shard, 1))
        .containsExactly(initial(USERS, 1)[0] - 0.5f, initial(USERS, 1)[1] - 1);
    assertThat(RowFormat.uses(store.saved().get(1L), 0)).isEqualTo(3);
    assertThat(RowFormat.uses(store.saved().get(2L), 0)).isEqualTo(4);
    assertThat(RowFormat.lastUse(store.saved().get(2L), 0)).isEqualTo(5);
    assertThat(shard.counts(0).rows()).isEqualTo(2);
    assertThat(shard.counts(0).written()).isEqualTo(2);
  }

  @Test
  void goesOnFromWhatIsSaved() {
    RowShard before = shard(USERS);
    push(before, 1, 1, at(5));
    push(before, 1, 1, at(3));
    float[] values = pull(before, 1);
    before.flush();
    RowShard after = shard(USERS);
    assertThat(pull(after, 1)).isEqualTo(values);
    push(after, 1, 0, at(4));
    after.flush();
    assertThat(RowFormat.uses(store.saved().get(1L), 0)).isEqualTo(3);
    assertThat(RowFormat.lastUse(store.saved().get(1L), 0)).isEqualTo(5);
    assertThat(after.counts(0).created()).isOne();
  }

  @Test
  void aGradientThatIsNotFiniteChangesNothingAndItsUseCounts() {
    RowShard shard = shard(USERS);
    push(shard, 1, 1, at(1));
    float[] values = pull(shard, 1);
    for (float gradient : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      push(shard, 1, gradient, at(2));
    }
    assertThat(pull(shard, 1)).isEqualTo(values);
    push(shard, 2, Float.NaN, at(2));
    assertThat(pull(shard, 2)).isEqualTo(initial(USERS, 2));
    assertThat(shard.counts(0).refused()).isEqualTo(3);
    shard.flush();
    assertThat(RowFormat.uses(store.saved().get(1L), 0)).isEqualTo(3);
    assertThat(RowFormat.uses(store.saved().get(2L), 0)).isEqualTo(1);
  }

  /** A square of 1e30 isn't a float. */
  @Test
  void aGradientThatIsTooLargeForTheSlotsChangesNothing() {
    RowTable table = USERS.with(RowUpdater.named("adagrad", 1, 0));
    RowShard shard = shard(table);
    push(shard, 1, 1e30f, at(1));
    assertThat(pull(shard, 1)).isEqualTo(initial(table, 1));
    assertThat(shard.counts(0).refused()).isOne();
  }

  @Test
  void aRowComesWithTheUseThatAdmitsIt() {
    RowTable table = USERS.with(Admission.after(3));
    RowShard shard = shard(table);
    push(shard, 1, 1, at(1));
    push(shard, 1, 1, at(1));
    assertThat(pull(shard, 1)).isEqualTo(initial(table, 1));
    assertThat(shard.counts(0).waiting()).isEqualTo(2);
    shard.flush();
    RowShard after = shard(table);
    push(after, 1, 1, at(1));
    assertThat(pull(after, 1)[0]).isEqualTo(initial(table, 1)[0] - 1);
    assertThat(after.counts(0).usesWithoutRow()).isEqualTo(2);
    after.flush();
    assertThat(RowFormat.uses(store.saved().get(1L), 0)).isOne();
  }

  @Test
  void beyondTheLimitNewIdsAreRefusedAndOldOnesLearn() {
    RowTable table = USERS.withAtMost(2 * GROUPS - 1);
    RowShard shard = shard(table);
    for (long id = 0; id < 5 * GROUPS; id++) {
      push(shard, id, 1, at(1));
    }
    push(shard, 1, 1, at(1));
    assertThat(pull(shard, 1)[0]).isEqualTo(initial(table, 1)[0] - 1 - 1);
    assertThat(pull(shard, 4 * GROUPS)).isEqualTo(initial(table, 4 * GROUPS));
    RowCounts counts = shard.counts(0);
    assertThat(counts.rows()).isEqualTo(2 * GROUPS);
    assertThat(counts.refused()).isEqualTo(3 * GROUPS);
    assertThat(counts.usesWithoutRow()).isEqualTo(3 * GROUPS);
  }

  @Test
  void anExpiredRowReadsAsUnknownAndBeginsAnew() {
    RowTable table = USERS.with(Expiry.afterTime(Duration.ofMillis(10)));
    RowShard shard = shard(table);
    push(shard, 1, 1, at(100));
    for (long time = 101; time <= 110; time++) {
      push(shard, 2, 1, at(time));
      assertThat(pull(shard, 1)).isNotEqualTo(initial(table, 1));
    }
    push(shard, 2, 1, at(111));
    assertThat(pull(shard, 1)).isEqualTo(initial(table, 1));
    assertThat(shard.counts(0).expired()).as("a pull changes nothing").isZero();
    push(shard, 1, 2, at(112));
    assertThat(pull(shard, 1)[0]).isEqualTo(initial(table, 1)[0] - 2);
    assertThat(shard.counts(0).expired()).isOne();
    assertThat(shard.counts(0).usesExpired()).isOne();
    assertThat(shard.counts(0).rows()).isEqualTo(2);
  }

  @Test
  void aMinibatchWithoutATimestampUsesRowsNow() {
    RowTable table = USERS.with(Expiry.afterTime(Duration.ofMillis(10)));
    RowShard shard = shard(table);
    push(shard, 1, 1, at(100));
    push(shard, 2, 1, at(RowPush.NO_TIME));
    for (long time = 101; time <= 110; time++) {
      push(shard, 1, 1, at(time));
    }
    assertThat(pull(shard, 2)).isNotEqualTo(initial(table, 2));
    push(shard, 1, 1, at(111));
    assertThat(pull(shard, 2)).isEqualTo(initial(table, 2));
  }

  /** One device counts microseconds, and each tenth push has a record of it. */
  @Test
  void recordsOfTheFarFutureExpireNothing() {
    RowTable table = USERS.with(Expiry.afterTime(Duration.ofDays(30)));
    long now = Duration.ofDays(20_000).toMillis();
    RowShard shard = shard(table);
    push(shard, 1, 1, at(now));
    for (int i = 1; i <= 500; i++) {
      push(shard, 2, 1, at(i % 10 == 0 ? 1_000 * now : now + i));
      shard.sweep(10);
    }
    assertThat(pull(shard, 1)).isNotEqualTo(initial(table, 1));
    shard.flush();

    RowShard after = shard(table);
    push(after, 3, 1, at(now + 501));
    assertThat(pull(after, 3)).as("a new one lives").isNotEqualTo(initial(table, 3));
    assertThat(after.counts(0).rows()).isEqualTo(3);
    assertThat(after.counts(0).expired()).isZero();
  }

  /** A row of a late record isn't gone at once, since it counts as used when it is pushed. */
  @Test
  void aLateRecordUsesARowNow() {
    RowTable table = USERS.with(Expiry.afterTime(Duration.ofMillis(10)));
    RowShard shard = shard(table);
    push(shard, 1, 1, at(100));
    push(shard, 2, 1, at(50));
    assertThat(pull(shard, 2)).isNotEqualTo(initial(table, 2));
  }

  @Test
  void rowsExpireBehindAGapOnceEnoughPushesTellOfIt() {
    RowTable table = USERS.with(Expiry.afterTime(Duration.ofMillis(10)));
    RowShard shard = shard(table);
    push(shard, 1, 1, at(100));
    for (int i = 1; i < RecordClock.RUN; i++) {
      push(shard, 2, 1, at(1_000));
    }
    assertThat(pull(shard, 1)).isNotEqualTo(initial(table, 1));
    shard.flush();
    RowShard after = shard(table);
    push(after, 3, 1, at(1_001));
    assertThat(pull(after, 1)).isEqualTo(initial(table, 1));
    assertThat(pull(after, 2)).as("used meanwhile").isNotEqualTo(initial(table, 2));
  }

  /** As those of files that a job learns before its topics. */
  @Test
  void aRowThatWasUsedBeforeAnyTimeWasToldIsNotOver() {
    RowTable table = USERS.with(Expiry.afterTime(Duration.ofMillis(10)));
    RowShard shard = shard(table);
    push(shard, 1, 1, at(RowPush.NO_TIME));
    push(shard, 2, 1, at(1_000));
    assertThat(pull(shard, 1)).isNotEqualTo(initial(table, 1));

    push(shard, 1, 1, at(1_000));
    push(shard, 2, 1, at(1_001));
    push(shard, 2, 1, at(1_002));
    for (long time = 1_003; time < 1_020; time++) {
      push(shard, 2, 1, at(time));
    }
    assertThat(pull(shard, 1)).as("used since").isEqualTo(initial(table, 1));
  }

  @Test
  void examplesExpireRowsWithoutTimestamps() {
    RowTable table = USERS.with(Expiry.afterExamples(10));
    RowShard shard = shard(table);
    push(shard, 1, 1, at(RowPush.NO_TIME));
    shard.advance(new RowMinibatch(1, RowPush.NO_TIME, 10, 0));
    assertThat(pull(shard, 1)).isNotEqualTo(initial(table, 1));
    shard.flush();
    RowShard after = shard(table);
    after.advance(new RowMinibatch(1, RowPush.NO_TIME, 1, 0));
    assertThat(pull(after, 1)).isEqualTo(initial(table, 1));
  }

  @Test
  void aSweepRemovesExpiredRowsSomeAtATime() {
    RowTable table = USERS.with(Expiry.afterExamples(8));
    RowShard shard = shard(table, 3);
    for (long id = 0; id < 40; id++) {
      push(shard, id, 1, at(0));
    }
    shard.flush();
    assertThat(shard.sweep(7)).isEqualTo(7);
    assertThat(store.openCursors).isOne();
    int looked = 7;
    int more;
    do {
      more = shard.sweep(7);
      looked += more;
    } while (more > 0);
    assertThat(looked).isEqualTo(40);
    shard.flush();
    assertThat(store.saved()).hasSize(9);
    assertThat(shard.counts(0).rows()).isEqualTo(9);
    assertThat(shard.counts(0).usesExpired()).isEqualTo(31);
    assertThat(store.openCursors).isZero();

    shard.advance(new RowMinibatch(1, RowPush.NO_TIME, 1, 0));
    assertThat(shard.sweep(100)).as("an eighth of the expiry later").isEqualTo(9);
    shard.flush();
    assertThat(store.saved()).hasSize(8);
  }

  @Test
  void aShardThatClosesEndsItsSweep() {
    RowShard shard = shard(USERS.with(Expiry.afterExamples(8)));
    push(shard, 0, 1, at(0));
    push(shard, 4, 1, at(0));
    shard.flush();
    assertThat(shard.sweep(1)).isOne();
    shard.close();
    assertThat(store.openCursors).isZero();
  }

  @Test
  void tablesThatKeepRowsForeverAreNotSwept() {
    RowShard shard = shard(USERS);
    push(shard, 1, 1, at(0));
    shard.flush();
    assertThat(shard.sweep(10)).isZero();
  }

  @Test
  void aLaterEpochForgetsGradientsOnce() {
    RowTable table = USERS.with(RowUpdater.named("adagrad", 1, 0));
    RowShard shard = shard(table);
    push(shard, 1, 2, new RowMinibatch(1, 0, 1, 0));
    float value = pull(shard, 1)[0];
    push(shard, 1, 2, new RowMinibatch(1, 0, 1, 1));
    assertThat(value - pull(shard, 1)[0]).as("a first step").isEqualTo(1);
    value = pull(shard, 1)[0];
    push(shard, 1, 2, new RowMinibatch(1, 0, 1, 0));
    assertThat(value - pull(shard, 1)[0]).as("a second step").isLessThan(0.8f);
  }

  @Test
  void messagesHaveIdsOfAllTables() {
    RowTable items = RowTable.of("items", 1).with(RowUpdater.named("sgd", 1, 0));
    KeyGroups all = new KeyGroups(0, GROUPS - 1, GROUPS, RowShardTest::groupOf);
    HeapRowStore other = new HeapRowStore(RowShardTest::groupOf);
    RowShard shard = new RowShard(List.of(USERS, items), List.of(store, other), all, 1, 1);
    long[] ids = {1, 2, 1};
    int[] ends = {2, 3};
    RowAnswer first = shard.answer(new RowPull(0, ends, ids, 0, 4, "home", true));
    assertThat(first.uses()).containsExactly(0, 0, 0);
    float[] before = first.values();

    shard.apply(
        new RowPush(0, ends, ids, 0, 4, new int[] {1, 1, 5}, new float[] {1, 2, 3, 4, 5}, at(0)));

    RowAnswer answer = shard.answer(new RowPull(3, ends, ids, 0, 6, "home", true));
    assertThat(answer.shard()).isEqualTo(3);
    assertThat(answer.number()).isEqualTo(6);
    assertThat(answer.uses()).containsExactly(1, 1, 5);
    RowAnswer values = shard.answer(new RowPull(3, ends, ids, 0, 6, "home", false));
    assertThat(values.uses()).isEmpty();
    assertThat(values.values()).isEqualTo(answer.values());
    for (int i = 0; i < 5; i++) {
      assertThat(answer.values()[i]).isEqualTo(before[i] - (i + 1));
    }
    assertThat(shard.dirty()).as("the caches have one row each, that of users as read").isOne();
    shard.flush();
    assertThat(shard.dirty()).isZero();
    assertThat(RowFormat.uses(other.saved().get(1L), 0)).isEqualTo(5);
  }

  @Test
  void messagesOfOtherTablesOrShardsAreRefused() {
    RowShard shard = shard(USERS);
    assertThatThrownBy(
            () -> shard.answer(new RowPull(0, new int[] {0, 0}, new long[0], 0, 1, "", true)))
        .hasMessage("A message has ids of 2 tables, and the shard has 1 tables");
    RowPush push =
        new RowPush(0, new int[] {1}, new long[1], 0, 1, new int[] {1}, new float[3], at(0));
    assertThatThrownBy(() -> shard.apply(push)).hasMessageContaining("3 gradients");
    KeyGroups some = new KeyGroups(1, 2, GROUPS, RowShardTest::groupOf);
    RowShard other = new RowShard(List.of(USERS), List.of(store), some, 4);
    assertThatThrownBy(() -> pull(other, 3))
        .hasMessageContaining("Id 3 of table 'users' is of key group 3")
        .hasMessageContaining("the groups 1 to 2");
    assertThatThrownBy(() -> new KeyGroups(2, 1, 4, RowShardTest::groupOf))
        .hasMessageContaining("2 to 1 of 4");
    assertThatThrownBy(() -> new RowShard(List.of(USERS), List.of(), some, 4))
        .hasMessageContaining("1 tables have 0 stores and 1 caches");
  }

  @Test
  void damagedGroupsAreToldOf() {
    RowShard shard = shard(USERS.with(Admission.after(2)));
    push(shard, 1, 1, at(0));
    shard.flush();
    byte[] bytes = store.groups.get(1);
    for (int length = 0; length < bytes.length; length += 97) {
      store.groups.put(1, Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> shard(USERS))
          .isInstanceOf(DamagedRowException.class)
          .hasMessageContaining("Key group 1 of table 'users'");
    }
    store.groups.put(1, Arrays.copyOf(bytes, bytes.length + 1));
    assertThatThrownBy(() -> shard(USERS)).hasMessageContaining("more bytes");
    store.groups.put(1, bytes);
    assertThat(shard(USERS).counts(0).waiting()).isOne();
  }

  @Test
  void aTableThatIsAnotherNowIsRefusedBeforeARowIsRead() {
    RowShard shard = shard(USERS);
    push(shard, 1, 1, at(0));
    shard.flush();
    long gets = store.gets;

    assertThatThrownBy(() -> shard(RowTable.of("users", 3).with(USERS.updater())))
        .isInstanceOf(DamagedRowException.class)
        .hasMessageContaining("Table 'users' was saved with rows of 2 values and the updater sgd")
        .hasMessageContaining("this job has it with 3 values and the updater sgd");
    assertThatThrownBy(() -> shard(USERS.with(RowUpdater.named("ftrl", 1, 0))))
        .isInstanceOf(DamagedRowException.class)
        .hasMessageContaining("2 values and the updater ftrl");
    assertThat(store.gets).isEqualTo(gets);
  }

  @Test
  void aSavedTableIsReadWithoutItsJob() {
    RowShard shard = shard(USERS.with(Admission.after(2)));
    for (long id = 0; id < 6; id++) {
      push(shard, id, 1, at(0));
      push(shard, id / 2, 1, at(0));
    }
    shard.flush();

    SavedTable table =
        store.groups.values().stream()
            .map(bytes -> SavedTable.ofGroup(bytes))
            .reduce(SavedTable::plus)
            .orElseThrow();

    assertThat(table.dimension()).isEqualTo(2);
    assertThat(table.updater()).isEqualTo("sgd");
    assertThat(table.counts().rows()).isEqualTo(store.saved().size()).isEqualTo(3);
    SavedRow row = new SavedRow(table);
    long uses = table.counts().usesElsewhere();
    for (Map.Entry<Long, byte[]> saved : store.saved().entrySet()) {
      row.read(saved.getKey(), saved.getValue());
      uses += row.uses();
      assertThat(row.floats()).containsExactly(pull(shard, row.id()));
    }
    assertThat(uses).isEqualTo(12);
    SavedTable other = new SavedTable("users", 2, "ftrl", table.counts());
    assertThatThrownBy(() -> table.plus(other))
        .hasMessageContaining("updater sgd in one key group")
        .hasMessageContaining("updater ftrl in another");
    SavedTable later = new SavedTable("users", 2, "lion", table.counts());
    assertThatThrownBy(() -> new SavedRow(later)).hasMessageContaining("no row updater 'lion'");
    assertThatThrownBy(() -> SavedTable.ofGroup(new byte[3]))
        .isInstanceOf(DamagedRowException.class)
        .hasMessageContaining("A key group of a table");
  }

  @Test
  void minibatchesWithoutSenseAreRefused() {
    assertThatThrownBy(() -> new RowMinibatch(Float.NaN, 0, 0, 0)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> new RowMinibatch(1, 0, -1, 0)).hasMessageContaining("-1 examples");
    assertThatThrownBy(() -> new RowMinibatch(1, 0, 0, 65_536)).hasMessageContaining("65536");
    assertThatThrownBy(() -> new RowMinibatch(1, 0, 0, -1)).hasMessageContaining("-1");
  }

  @Test
  void aReportHasTheIdsWithTheMostUsesAndTheNormOfRowsThatChanged() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    RowShard shard = shard(USERS, 100);
    Map<Long, Long> uses = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      long id = (long) Math.abs(random.nextGaussian() * 12);
      uses.merge(id, 1L, Long::sum);
      push(shard, id, random.nextFloat(), at(0));
    }
    double norms = 0;
    for (long id : uses.keySet()) {
      float[] row = pull(shard, id);
      norms += Math.sqrt((double) row[0] * row[0] + (double) row[1] * row[1]);
    }

    RowReport report = shard.report(3, 4, 0);

    assertThat(report.shard()).isEqualTo(3);
    assertThat(report.shards()).isEqualTo(4);
    assertThat(report.uses()).isEqualTo(500);
    assertThat(report.dirty()).isEqualTo(uses.size());
    assertThat(report.counts().rows()).isEqualTo(uses.size());
    assertThat(report.normed()).isEqualTo(uses.size());
    assertThat(report.norms()).as("seed %s", seed).isCloseTo(norms, within(1e-4));
    assertThat(report.hottestUses())
        .as("seed %s", seed)
        .isEqualTo(
            uses.values().stream()
                .sorted(java.util.Comparator.reverseOrder())
                .limit(RowReport.HOTTEST)
                .mapToLong(Long::longValue)
                .toArray());
    for (int i = 0; i < RowReport.HOTTEST; i++) {
      assertThat(uses.get(report.hottest()[i])).isEqualTo(report.hottestUses()[i]);
    }
  }

  @Test
  void aReportIsTheSameBehindTheWire() throws Exception {
    RowShard shard = shard(USERS);
    push(shard, 5, 1, at(0));
    push(shard, 6, 1, at(0));
    RowReport report = shard.report(1, 2, 0);

    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    RowReport.WIRE.write(report, new java.io.DataOutputStream(bytes));
    RowReport read =
        RowReport.WIRE.read(
            new java.io.DataInputStream(new java.io.ByteArrayInputStream(bytes.toByteArray())));

    assertThat(read).usingRecursiveComparison().isEqualTo(report);
  }
}
