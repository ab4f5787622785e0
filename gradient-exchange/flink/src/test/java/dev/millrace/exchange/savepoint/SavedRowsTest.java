package dev.millrace.exchange.savepoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.rows.AddressedAnswer;
import dev.millrace.exchange.flink.rows.RowKeys;
import dev.millrace.exchange.flink.rows.RowListener;
import dev.millrace.exchange.flink.rows.RowMessageKey;
import dev.millrace.exchange.flink.rows.RowOperator;
import dev.millrace.exchange.flink.rows.RowOutputs;
import dev.millrace.exchange.rows.Admission;
import dev.millrace.exchange.rows.RowAnswer;
import dev.millrace.exchange.rows.RowMessage;
import dev.millrace.exchange.rows.RowMinibatch;
import dev.millrace.exchange.rows.RowPull;
import dev.millrace.exchange.rows.RowPush;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.exchange.rows.SavedTable;
import dev.millrace.exchange.rows.Sgd;
import dev.millrace.model.testing.Seeds;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.checkpoint.SnapshotType;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.graph.StreamGraphHasherV2;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows in files of Flink's, against what the shards themselves answer. */
class SavedRowsTest {

  private static final String UID = "the-rows";
  private static final int KEY_GROUPS = 200;
  private static final int SHARDS = 3;
  private static final int IDS = 400;
  private static final List<RowTable> TABLES =
      List.of(
          RowTable.of("users", 3),
          RowTable.of("items", 2).with(new Sgd(1, 0)).with(Admission.after(3)));

  @TempDir private Path directory;

  private final RowKeys keys = new RowKeys(KEY_GROUPS, SHARDS);
  private final List<KeyedOneInputStreamOperatorTestHarness<Long, RowMessage, AddressedAnswer>>
      subtasks = new ArrayList<>();
  private long number;

  private void start(String backend, boolean compressed, List<RowTable> tables) throws Exception {
    for (int subtask = 0; subtask < SHARDS; subtask++) {
      var harness =
          new KeyedOneInputStreamOperatorTestHarness<Long, RowMessage, AddressedAnswer>(
              new RowOperator(
                  tables, KEY_GROUPS, 20, true, false, RowListener.NONE, 0, FaultInjector.NONE),
              new RowMessageKey(KEY_GROUPS),
              Types.LONG,
              KEY_GROUPS,
              SHARDS,
              subtask);
      harness.getExecutionConfig().setUseSnapshotCompression(compressed);
      harness.setStateBackend(
          backend.equals("rocksdb")
              ? new EmbeddedRocksDBStateBackend()
              : new HashMapStateBackend());
      harness.setup(RowOutputs.ANSWERS.createSerializer(new SerializerConfigImpl()));
      harness.open();
      subtasks.add(harness);
    }
  }

  private void push(int table, long id, float gradient) throws Exception {
    float[] gradients = new float[TABLES.get(table).dimension()];
    Arrays.fill(gradients, gradient);
    int shard = keys.shardOf(id);
    subtasks
        .get(shard)
        .processElement(
            new StreamRecord<>(
                new RowPush(
                    keys.names()[shard],
                    ends(table),
                    new long[] {id},
                    0,
                    number++,
                    new int[] {1},
                    gradients,
                    new RowMinibatch(1, RowPush.NO_TIME, 1, 0))));
  }

  private static int[] ends(int table) {
    return table == 0 ? new int[] {1, 1} : new int[] {0, 1};
  }

  private float[] pull(int table, long id) throws Exception {
    int shard = keys.shardOf(id);
    subtasks
        .get(shard)
        .processElement(
            new StreamRecord<>(
                new RowPull(
                    keys.names()[shard],
                    ends(table),
                    new long[] {id},
                    3,
                    number++,
                    "elsewhere/3",
                    false)));
    List<AddressedAnswer> answers = subtasks.get(shard).extractOutputValues();
    RowAnswer answer = answers.get(answers.size() - 1).answer();
    return answer.values();
  }

  private static SnapshotType type(String format) {
    return format.equals("checkpoint")
        ? CheckpointType.FULL_CHECKPOINT
        : SavepointType.savepoint(SavepointFormatType.valueOf(format.toUpperCase(Locale.ROOT)));
  }

  private OperatorState saved(String format) throws Exception {
    OperatorState operator =
        new OperatorState(
            null,
            UID,
            new OperatorID(StreamGraphHasherV2.generateUserSpecifiedHash(UID)),
            SHARDS,
            KEY_GROUPS);
    for (int subtask = 0; subtask < SHARDS; subtask++) {
      OperatorSubtaskState state =
          subtasks
              .get(subtask)
              .snapshotWithLocalState(1, 1, type(format))
              .getJobManagerOwnedState();
      operator.putState(subtask, state);
    }
    return operator;
  }

  private SavedRows written(OperatorState operator) throws Exception {
    try (DataOutputStream out =
        new DataOutputStream(Files.newOutputStream(directory.resolve("_metadata")))) {
      Checkpoints.storeCheckpointMetadata(
          new CheckpointMetadata(
              1,
              List.of(operator),
              List.of(),
              CheckpointProperties.forSavepoint(false, SavepointFormatType.CANONICAL)),
          out);
    }
    return new SavedRows(SavedStates.open(directory.toString()), UID);
  }

  private void close() throws Exception {
    for (var subtask : subtasks) {
      subtask.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "hashmap, checkpoint, false",
    "hashmap, native, true",
    "hashmap, canonical, false",
    "hashmap, canonical, true",
    "rocksdb, checkpoint, false",
    "rocksdb, native, true",
    "rocksdb, canonical, false",
    "rocksdb, canonical, true"
  })
  void everyFormatHasAllRows(String backend, String format, boolean compressed) throws Exception {
    long seed = Seeds.next();
    Random random = new Random(seed);
    List<Map<Long, Long>> uses = List.of(new HashMap<>(), new HashMap<>());
    start(backend, compressed, TABLES);
    for (int i = 0; i < 3_000; i++) {
      int table = random.nextInt(2);
      long id = id(random.nextInt(IDS));
      push(table, id, random.nextFloat());
      uses.get(table).merge(id, 1L, Long::sum);
    }
    SavedRows rows = written(saved(format));

    List<SavedTable> tables = rows.tables();
    List<Map<Long, float[]>> values = List.of(new HashMap<>(), new HashMap<>());
    List<Map<Long, Long>> usesOfRows = List.of(new HashMap<>(), new HashMap<>());
    rows.forEach(
        tables,
        (table, row) -> {
          assertThat(values.get(table).put(row.id(), row.floats().clone())).isNull();
          usesOfRows.get(table).put(row.id(), row.uses());
          assertThat(row.table()).isEqualTo(tables.get(table));
        });

    assertThat(tables).extracting(SavedTable::name).containsExactly("items", "users");
    assertThat(tables).extracting(SavedTable::dimension).containsExactly(2, 3);
    assertThat(tables).extracting(SavedTable::updater).containsExactly("sgd", "adagrad-rowwise");
    assertThat(usesOfRows.get(1)).as("seed %s", seed).isEqualTo(uses.get(0));
    assertThat(tables.get(1).counts().rows()).isEqualTo(uses.get(0).size());
    assertThat(tables.get(1).bytes()).isEqualTo(uses.get(0).size() * 32L);
    assertThat(sum(usesOfRows.get(0)) + tables.get(0).counts().usesElsewhere())
        .as("seed %s, uses of items", seed)
        .isEqualTo(sum(uses.get(1)));
    for (int table = 0; table < 2; table++) {
      for (Map.Entry<Long, float[]> row : values.get(1 - table).entrySet()) {
        assertThat(Arrays.copyOf(row.getValue(), TABLES.get(table).dimension()))
            .as("seed %s, row %s", seed, row.getKey())
            .containsExactly(pull(table, row.getKey()));
      }
    }
    close();
  }

  /** Returns an id of all 64 bits. */
  private static long id(int number) {
    return number * 0x9E3779B97F4A7C15L;
  }

  private static long sum(Map<Long, Long> uses) {
    return uses.values().stream().mapToLong(Long::longValue).sum();
  }

  /** A subtask's state that isn't there is told of, whoever reads it. */
  @Test
  void aRowThatIsLostIsMissed() throws Exception {
    start("hashmap", false, TABLES);
    for (int id = 0; id < IDS; id++) {
      push(0, id(id), 1);
    }
    SavedRows rows = written(saved("canonical"));
    List<SavedTable> tables = rows.tables();
    assertThat(tables.get(0).counts().rows()).as("rows of items").isZero();
    SavedTable users = tables.get(1);
    SavedTable more =
        new SavedTable(
            users.name(), users.dimension(), users.updater(), users.counts().plus(users.counts()));

    assertThatThrownBy(() -> rows.forEach(List.of(more), (table, row) -> {}))
        .isInstanceOf(SavepointException.class)
        .hasMessageContaining("Table 'users'")
        .hasMessageContaining("has 400 rows, and 800 were counted");
    SavedTable other = new SavedTable("users", 5, "sgd", users.counts());
    assertThatThrownBy(() -> rows.forEach(List.of(other), (table, row) -> {}))
        .isInstanceOf(SavepointException.class)
        .hasMessageContaining("5 values with the updater sgd take 36");
    IOException full = new IOException("No space left");
    assertThatThrownBy(
            () ->
                rows.forEach(
                    List.of(users),
                    (table, row) -> {
                      throw full;
                    }))
        .isSameAs(full);
    close();
  }

  @Test
  void aJobWithoutRowsHasNoTables() throws Exception {
    start("hashmap", false, List.of());
    assertThat(written(saved("canonical")).tables()).isEmpty();
    assertThat(new SavedRows(SavedStates.open(directory.toString()), "other").tables()).isEmpty();
    close();
  }
}
