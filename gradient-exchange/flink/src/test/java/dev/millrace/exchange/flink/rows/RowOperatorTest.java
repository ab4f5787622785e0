package dev.millrace.exchange.flink.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.rows.Expiry;
import dev.millrace.exchange.rows.RowAnswer;
import dev.millrace.exchange.rows.RowMessage;
import dev.millrace.exchange.rows.RowMinibatch;
import dev.millrace.exchange.rows.RowPull;
import dev.millrace.exchange.rows.RowPush;
import dev.millrace.exchange.rows.RowRound;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.exchange.rows.Sgd;
import dev.millrace.model.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of two tables in Flink's state, each less its gradients: one SGD step of rate 1 is one. */
class RowOperatorTest {

  private static final int KEY_GROUPS = 16;
  private static final int IDS = 300;
  private static final int CACHED = 20;
  private static final List<RowTable> TABLES =
      List.of(
          RowTable.of("users", 2).with(new Sgd(1, 0)), RowTable.of("items", 1).with(new Sgd(1, 0)));

  private static final int LIFE = IDS;

  private List<RowTable> tables = TABLES;
  private boolean ordered;
  private RowListener listener = RowListener.NONE;
  private final List<KeyedOneInputStreamOperatorTestHarness<Long, RowMessage, AddressedAnswer>>
      subtasks = new ArrayList<>();
  private RowKeys keys;
  private long number;

  private void start(String backend, int parallelism, List<OperatorSubtaskState> saved, int before)
      throws Exception {
    subtasks.clear();
    keys = new RowKeys(KEY_GROUPS, parallelism);
    for (int subtask = 0; subtask < parallelism; subtask++) {
      var harness =
          new KeyedOneInputStreamOperatorTestHarness<Long, RowMessage, AddressedAnswer>(
              new RowOperator(
                  tables, KEY_GROUPS, CACHED, true, ordered, listener, 0, FaultInjector.NONE),
              new RowMessageKey(KEY_GROUPS),
              Types.LONG,
              KEY_GROUPS,
              parallelism,
              subtask);
      harness.setStateBackend(backend(backend));
      harness.setup(RowOutputs.ANSWERS.createSerializer(new SerializerConfigImpl()));
      if (!saved.isEmpty()) {
        harness.initializeState(
            AbstractStreamOperatorTestHarness.repartitionOperatorState(
                AbstractStreamOperatorTestHarness.repackageState(
                    saved.toArray(OperatorSubtaskState[]::new)),
                KEY_GROUPS,
                before,
                parallelism,
                subtask));
      }
      harness.open();
      subtasks.add(harness);
    }
  }

  private static StateBackend backend(String name) {
    return name.equals("rocksdb") ? new EmbeddedRocksDBStateBackend() : new HashMapStateBackend();
  }

  private List<OperatorSubtaskState> stop(long checkpoint) throws Exception {
    List<OperatorSubtaskState> saved = new ArrayList<>();
    for (var subtask : subtasks) {
      saved.add(subtask.snapshot(checkpoint, checkpoint));
    }
    // What comes behind the checkpoint is lost with the task.
    push(1, 7);
    for (var subtask : subtasks) {
      subtask.close();
    }
    return saved;
  }

  /** Pushes a gradient of the table's number and one for an id, which it is used once by. */
  private void push(int table, long id) throws Exception {
    push(0, table, id, table + 1);
  }

  private void push(int replica, int table, long id, float gradient) throws Exception {
    int dimension = TABLES.get(table).dimension();
    float[] gradients = new float[dimension];
    Arrays.fill(gradients, gradient);
    int shard = keys.shardOf(id);
    tell(
        shard,
        new RowPush(
            keys.names()[shard],
            ends(table),
            new long[] {id},
            replica,
            number++,
            new int[] {1},
            gradients,
            new RowMinibatch(1, RowPush.NO_TIME, 1, 0)));
  }

  private static int[] ends(int table) {
    return table == 0 ? new int[] {1, 1} : new int[] {0, 1};
  }

  private void tell(int shard, RowMessage message) throws Exception {
    subtasks.get(shard).processElement(new StreamRecord<>(message));
  }

  private float[] pull(int table, long id) throws Exception {
    return pull(3, table, id);
  }

  private float[] pull(int replica, int table, long id) throws Exception {
    int shard = keys.shardOf(id);
    tell(
        shard,
        new RowPull(
            keys.names()[shard],
            ends(table),
            new long[] {id},
            replica,
            number,
            "elsewhere/3",
            false));
    List<AddressedAnswer> answers = subtasks.get(shard).extractOutputValues();
    AddressedAnswer last = answers.get(answers.size() - 1);
    assertThat(last.replica()).isEqualTo(replica);
    RowAnswer answer = last.answer();
    assertThat(answer.number()).isEqualTo(number++);
    return answer.values();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void rowsAreWholeOverFailuresAndOtherParallelism(String backend) throws Exception {
    long seed = Seeds.next();
    Random random = new Random(seed);
    List<Map<Long, Integer>> pushed = List.of(new HashMap<>(), new HashMap<>());
    List<Map<Long, float[]>> initial = List.of(new HashMap<>(), new HashMap<>());
    start(backend, 1, List.of(), 0);
    for (int table = 0; table < 2; table++) {
      for (long id = 0; id < IDS; id++) {
        initial.get(table).put(id, pull(table, id));
      }
    }

    int before = 1;
    for (int parallelism : new int[] {3, 2, 1}) {
      for (int i = 0; i < 500; i++) {
        int table = random.nextInt(2);
        long id = random.nextInt(IDS);
        push(table, id);
        pushed.get(table).merge(id, 1, Integer::sum);
      }
      List<OperatorSubtaskState> saved = stop(parallelism);
      start(backend, parallelism, saved, before);
      before = parallelism;
    }

    for (int table = 0; table < 2; table++) {
      for (long id = 0; id < IDS; id++) {
        float[] expected = initial.get(table).get(id).clone();
        for (int i = 0; i < expected.length; i++) {
          for (int n = pushed.get(table).getOrDefault(id, 0); n > 0; n--) {
            expected[i] -= table + 1;
          }
        }
        assertThat(pull(table, id)).as("seed %s, id %s", seed, id).containsExactly(expected);
      }
    }
  }

  /** Each push makes 100 rows, which expire with the tenth push after it. */
  @Test
  void rowsLeaveAsFastAsTheyCome() throws Exception {
    int each = 100;
    tables = List.of(TABLES.get(0), TABLES.get(1).with(Expiry.afterExamples(10)));
    start("hashmap", 1, List.of(), 0);
    for (long push = 0; push < 200; push++) {
      long first = push * each;
      int[] uses = new int[each];
      Arrays.fill(uses, 1);
      tell(
          0,
          new RowPush(
              0,
              new int[] {0, each},
              LongStream.range(first, first + each).toArray(),
              0,
              number++,
              uses,
              new float[each],
              new RowMinibatch(1, RowPush.NO_TIME, 1, 0)));
    }

    assertThat(rows()).isLessThan(2_500);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void rowsThatNobodyUsesLeaveTheState(String backend) throws Exception {
    tables = List.of(TABLES.get(0), TABLES.get(1).with(Expiry.afterExamples(LIFE)));
    start(backend, 1, List.of(), 0);
    for (long id = 0; id < IDS; id++) {
      push(1, id);
    }
    assertThat(rows()).isEqualTo(IDS - CACHED);

    for (int i = 0; i < 2 * LIFE; i++) {
      push(1, IDS);
    }

    assertThat(rows()).as("rows that are left, but for the one on the heap").isZero();
  }

  /** What comes first decides what is left of small numbers beside large ones. */
  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void pushesOfARoundAreAppliedInTheOrderOfReplicasOverFailuresAndOtherParallelism(String backend)
      throws Exception {
    ordered = true;
    start(backend, 2, List.of(), 0);
    know(0, 0, 1);
    for (long id = 0; id < IDS; id++) {
      push(1, 1, id, -1e8f);
      push(0, 1, id, 1e8f);
    }
    float before = pull(0, 1, 5)[0];
    List<OperatorSubtaskState> saved = stop(1);

    start(backend, 3, saved, 2);
    know(0, 2, 1, 0);
    for (long id = 0; id < IDS; id++) {
      push(0, 1, id, 1);
    }
    assertThat(pull(0, 1, 5)).containsExactly(before);
    saved = stop(2);
    start(backend, 2, saved, 3);
    know(1, 1, 0);

    for (long id = 0; id < IDS; id++) {
      assertThat(pull(0, 1, id)).as("id %s", id).containsExactly(0);
    }
  }

  /** A job that holds nothing takes over what another one has held. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsHeldIsAppliedInTheEnd(boolean input) throws Exception {
    ordered = true;
    start("hashmap", 1, List.of(), 0);
    know(0, 0);
    float before = pull(0, 1, 5)[0];
    push(1, 5);
    List<OperatorSubtaskState> saved = stop(1);
    ordered = false;
    start("hashmap", 1, saved, 1);

    if (input) {
      push(1, 6);
    } else {
      ((RowOperator) subtasks.get(0).getOperator()).finish();
    }

    assertThat(pull(1, 5)).containsExactly(before - 2);
    saved = stop(2);
    start("hashmap", 1, saved, 1);
    assertThat(pull(1, 5)).as("once").containsExactly(before - 2);
  }

  /** Replicas tell all shards of a round. */
  private void know(long round, int... replicas) throws Exception {
    for (int replica : replicas) {
      for (int shard = 0; shard < subtasks.size(); shard++) {
        tell(shard, new RowRound(keys.names()[shard], replica, round));
      }
    }
  }

  @Test
  void atTheEndAListenerKnowsAllRowsHoweverManyThereWere() throws Exception {
    int ids = 25_000;
    start("hashmap", 1, List.of(), 0);
    for (long id = 0; id < ids; id++) {
      push(1, id);
    }
    List<OperatorSubtaskState> saved = stop(1);

    listener = new RowListener("rows", 1_000);
    start("hashmap", 1, saved, 1);
    ((RowOperator) subtasks.get(0).getOperator()).finish();

    List<RowChange> told =
        subtasks.get(0).getSideOutput(RowOutputs.CHANGES).stream()
            .map(StreamRecord::getValue)
            .filter(change -> !change.isOfTable())
            .toList();
    assertThat(told).extracting(RowChange::id).doesNotHaveDuplicates().hasSize(ids);
  }

  @Test
  void aheadOfACheckpointAListenerHearsWhetherThereIsMore() throws Exception {
    start("hashmap", 1, List.of(), 0);
    for (long id = 0; id < 25_000; id++) {
      push(1, id);
    }
    List<OperatorSubtaskState> saved = stop(1);

    listener = new RowListener("rows", 1_000);
    start("hashmap", 1, saved, 1);
    List<Boolean> more = new ArrayList<>();
    for (int checkpoint = 2; checkpoint < 6; checkpoint++) {
      if (checkpoint > 2) {
        subtasks.get(0).getSideOutput(RowOutputs.CHANGES).clear();
      }
      ((RowOperator) subtasks.get(0).getOperator()).prepareSnapshotPreBarrier(checkpoint);
      List<RowChange> told =
          subtasks.get(0).getSideOutput(RowOutputs.CHANGES).stream()
              .map(StreamRecord::getValue)
              .toList();
      more.add(told.stream().anyMatch(RowChange::saysThatMoreComes));
      if (more.get(more.size() - 1)) {
        assertThat(told.get(told.size() - 1))
            .as("the last one")
            .matches(RowChange::saysThatMoreComes);
      }
    }
    assertThat(more).containsExactly(true, true, false, false);
  }

  /** Rows of the second table that are in state under their ids. */
  private long rows() throws Exception {
    var subtask = subtasks.get(0);
    subtask.snapshot(number, number);
    KeyedStateBackend<Long> state = ((RowOperator) subtask.getOperator()).getKeyedStateBackend();
    try (Stream<Long> ids = state.getKeys(RowOperator.ROWS_STATE, RowOperator.namespace("items"))) {
      return ids.count();
    }
  }
}
