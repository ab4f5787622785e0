package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.IdLists;
import dev.millrace.model.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows over random orders of delivery, evictions, sweeps, barriers, failures and rescales: see
 * docs/internals/rows.md.
 */
class RowSimulationTest {

  private static final int RUNS = 15;
  private static final int MINIBATCHES = 60;

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void everyUseIsCountedOnceWhateverFails(int depth) {
    int failures = 0;
    int checkpoints = 0;
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      System.out.printf("Rows of several replicas, %s ahead: seed %s%n", depth, seed);
      SimulatedRows job = new SimulatedRows(seed, MINIBATCHES, depth, false);

      List<HeapRowStore> saved = job.run(0.0008);

      assertUses(job, saved, seed);
      failures += job.failures;
      checkpoints += job.checkpoints;
    }
    assertThat(failures).isGreaterThan(RUNS);
    assertThat(checkpoints).isGreaterThan(2 * RUNS);
  }

  private static void assertUses(SimulatedRows job, List<HeapRowStore> saved, long seed) {
    List<Map<Long, Long>> expected = uses(job);
    for (int table = 0; table < expected.size(); table++) {
      RowTable described = job.tables().get(table);
      Map<Long, Long> uses = new HashMap<>();
      saved.get(table).saved().forEach((id, row) -> uses.put(id, RowFormat.uses(row, 0)));
      RowCounts counts = counts(described, saved.get(table));
      assertThat(counts.rows()).as("seed %s, rows of %s", seed, described).isEqualTo(uses.size());
      assertThat(counts.created() - counts.expired()).isEqualTo(counts.rows());
      assertThat(sum(uses) + counts.usesWithoutRow() + counts.usesExpired())
          .as("seed %s, all uses of %s", seed, described)
          .isEqualTo(sum(expected.get(table)));
      if (described.admission().uses() == 1
          && !described.expiry().expires()
          && described.mostRows() == RowTable.UNLIMITED) {
        assertThat(uses).as("seed %s, uses of %s", seed, described).isEqualTo(expected.get(table));
      }
    }
  }

  private static long sum(Map<Long, Long> uses) {
    return uses.values().stream().mapToLong(Long::longValue).sum();
  }

  private static RowCounts counts(RowTable table, HeapRowStore store) {
    RowCounts sum = new RowCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    for (Map.Entry<Integer, byte[]> group : store.groups.entrySet()) {
      sum = sum.plus(GroupState.read(table, group.getKey(), group.getValue()).counts());
    }
    return sum;
  }

  /** How often the input has each id of a table. */
  private static List<Map<Long, Long>> uses(SimulatedRows job) {
    List<Map<Long, Long>> uses = new ArrayList<>();
    job.tables().forEach(table -> uses.add(new HashMap<>()));
    for (int number = 0; number < MINIBATCHES; number++) {
      for (int partition = 0; partition < SimulatedRows.PARTITIONS; partition++) {
        IdLists lists = job.learner().ids(partition, number);
        int fresh = job.learner().fresh(partition, number);
        for (int list = 0; list < fresh * lists.fields(); list++) {
          int field = list % lists.fields();
          for (int at = lists.start(list); at < lists.start(list + 1); at++) {
            uses.get(RowLearner.TABLE_OF[field]).merge(lists.ids()[at], 1L, Long::sum);
          }
        }
      }
    }
    return uses;
  }

  /** With one replica and nothing ahead, whatever the shards and their caches are. */
  @Test
  void rowsAreBitEqualToThoseOfAPlainLoopWhateverFails() {
    int failures = 0;
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      System.out.printf("Rows of one replica: seed %s%n", seed);
      SimulatedRows job = new SimulatedRows(seed, MINIBATCHES, 0, true);

      List<HeapRowStore> saved = job.run(0.0008);

      assertUses(job, saved, seed);
      List<RowReference> expected = plainLoop(job);
      for (int table = 0; table < expected.size(); table++) {
        assertSame(job.tables().get(table), saved.get(table), expected.get(table), seed);
      }
      failures += job.failures;
    }
    assertThat(failures).isGreaterThan(RUNS);
  }

  /** With several replicas, each of which makes some steps in a round. */
  @Test
  void inReplicaOrderRowsAreBitEqualToThoseOfAPlainLoopWhateverFails() {
    int failures = 0;
    int heldPushes = 0;
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      System.out.printf("Rows in replica order: seed %s%n", seed);
      Random random = new Random(seed);
      int[] localSteps = random.ints(2 + random.nextInt(2), 1, 4).toArray();
      SimulatedRounds rounds = new SimulatedRounds(localSteps);
      SimulatedRows job = new SimulatedRows(seed, MINIBATCHES, rounds);

      List<HeapRowStore> saved = job.run(0.0008);

      assertUses(job, saved, seed);
      List<RowReference> expected = loopOfRounds(job, localSteps);
      for (int table = 0; table < expected.size(); table++) {
        assertSame(job.tables().get(table), saved.get(table), expected.get(table), seed);
      }
      failures += job.failures;
      heldPushes += job.heldPushes;
    }
    assertThat(failures).isGreaterThan(RUNS);
    assertThat(heldPushes).as("checkpoints with held pushes").isGreaterThan(RUNS);
  }

  private static List<RowReference> references(SimulatedRows job) {
    List<RowReference> tables = new ArrayList<>();
    for (RowTable table : job.tables()) {
      tables.add(new RowReference(table, SimulatedRows.GROUPS, SimulatedRows::groupOf));
    }
    return tables;
  }

  /** What a step pushes. */
  private record Step(TableIds ids, float[][] gradients, RowMinibatch minibatch) {

    /** Makes a step with the rows as they are. */
    static Step of(SimulatedRows job, int partition, int number, List<RowReference> tables) {
      TableIds ids = new TableIds(tables.size(), RowLearner.TABLE_OF);
      IdLists lists = job.learner().ids(partition, number);
      ids.take(lists, job.learner().fresh(partition, number));
      float[][] rows = new float[tables.size()][];
      for (int table = 0; table < rows.length; table++) {
        rows[table] = tables.get(table).values(ids.unique(table));
      }
      return new Step(
          ids,
          job.learner().gradients(partition, number, lists, ids, rows),
          job.learner().minibatch(partition, number));
    }

    void push(List<RowReference> tables) {
      for (int table = 0; table < gradients.length; table++) {
        tables.get(table).push(ids.unique(table), gradients[table], minibatch);
      }
    }
  }

  private static List<RowReference> plainLoop(SimulatedRows job) {
    List<RowReference> tables = references(job);
    for (int number = 0; number < MINIBATCHES; number++) {
      for (int partition = 0; partition < SimulatedRows.PARTITIONS; partition++) {
        Step.of(job, partition, number, tables).push(tables);
      }
    }
    return tables;
  }

  /** All steps of a round read the rows that the round before has left. */
  private static List<RowReference> loopOfRounds(SimulatedRows job, int[] localSteps) {
    List<RowReference> tables = references(job);
    int[] taken = new int[SimulatedRows.PARTITIONS];
    List<Step> round = new ArrayList<>();
    do {
      round.forEach(step -> step.push(tables));
      round.clear();
      for (int replica = 0; replica < localSteps.length; replica++) {
        for (int i = 0; i < localSteps[replica]; i++) {
          int partition = next(replica, localSteps.length, taken);
          if (partition >= 0) {
            round.add(Step.of(job, partition, taken[partition]++, tables));
          }
        }
      }
    } while (!round.isEmpty());
    return tables;
  }

  /** A replica takes its partitions in turn; -1 once nothing is left. */
  private static int next(int replica, int replicas, int[] taken) {
    int next = -1;
    for (int partition = replica; partition < taken.length; partition += replicas) {
      if (taken[partition] < MINIBATCHES && (next < 0 || taken[partition] < taken[next])) {
        next = partition;
      }
    }
    return next;
  }

  private static void assertSame(
      RowTable table, HeapRowStore saved, RowReference expected, long seed) {
    RowFormat format = new RowFormat(table);
    Map<Long, String> found = new HashMap<>();
    long expiredThere = 0;
    for (Map.Entry<Long, byte[]> row : saved.saved().entrySet()) {
      format.check(row.getKey(), row.getValue(), 0, row.getValue().length);
      float[] floats = new float[format.floats()];
      format.floats(row.getValue(), 0, floats, 0);
      long lastUse = RowFormat.lastUse(row.getValue(), 0);
      if (expected.expired(lastUse)) {
        expiredThere += RowFormat.uses(row.getValue(), 0);
      } else {
        found.put(
            row.getKey(),
            text(
                RowFormat.uses(row.getValue(), 0),
                lastUse,
                RowFormat.epoch(row.getValue(), 0),
                floats));
      }
    }
    Map<Long, String> wanted = new HashMap<>();
    long expiredInTheLoop = 0;
    for (Map.Entry<Long, RowReference.PlainRow> entry : expected.rows.entrySet()) {
      RowReference.PlainRow row = entry.getValue();
      if (expected.expired(row.lastUse)) {
        expiredInTheLoop += row.uses;
      } else {
        wanted.put(entry.getKey(), text(row.uses, row.lastUse, row.epoch, row.floats));
      }
    }
    assertThat(found).as("seed %s, %s", seed, table).isEqualTo(wanted).isNotEmpty();
    RowCounts counts = counts(table, saved);
    assertThat(counts.refused()).as("seed %s, %s", seed, table).isEqualTo(expected.refused);
    assertThat(counts.usesWithoutRow())
        .as("seed %s, %s", seed, table)
        .isEqualTo(expected.usesWithoutRow);
    assertThat(counts.usesExpired() + expiredThere)
        .as("seed %s, %s", seed, table)
        .isEqualTo(expected.usesExpired + expiredInTheLoop);
    if (table.expiry().expires()) {
      assertThat(counts.expired()).isPositive();
    }
  }

  /** With all bits of each float. */
  private static String text(long uses, long lastUse, int epoch, float[] floats) {
    StringBuilder text =
        new StringBuilder("%s uses, last %s, epoch %s:".formatted(uses, lastUse, epoch));
    for (float value : floats) {
      text.append(' ').append(Integer.toHexString(Float.floatToRawIntBits(value)));
    }
    return text.toString();
  }
}
