package dev.millrace.job.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.rows.RowChange;
import dev.millrace.exchange.rows.Expiry;
import dev.millrace.exchange.rows.KeyGroups;
import dev.millrace.exchange.rows.PooledRows;
import dev.millrace.exchange.rows.RowChanges;
import dev.millrace.exchange.rows.RowMinibatch;
import dev.millrace.exchange.rows.RowPush;
import dev.millrace.exchange.rows.RowShard;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.job.follow.MissingRowsException;
import dev.millrace.kafka.sink.OutputRecord;
import dev.millrace.model.IdLists;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read of a copy, beside what the shard that wrote it answers. */
class CopyReaderTest {

  private static final int IDS = 60;
  private static final String FIELDS =
      """
      [{"path": "user", "kind": "id", "table": "users", "dimension": 3},
       {"path": "price", "kind": "number"},
       {"path": "items", "kind": "ids", "table": "items", "dimension": 2}]
      """;
  private static final ExampleShape SHAPE =
      FieldsDescription.parse(FIELDS, null).shape(Target.REGRESSION, 1);
  private static final List<RowTable> TABLES =
      List.of(RowTable.of("users", 3).with(Expiry.afterExamples(40)), RowTable.of("items", 2));

  @TempDir private Path directory;
  private LocalRows copy;

  @BeforeEach
  void open() throws IOException {
    copy = LocalRows.open(directory);
  }

  @AfterEach
  void close() {
    copy.close();
  }

  /** Gives the copy what the shard tells. */
  private final class Writing implements RowChanges {

    @Override
    public long listener() {
      return 1;
    }

    private final RowWriter writer = new RowWriter("rows", TABLES);

    @Override
    public void changed(int table, long id, float[] floats, int at) {
      int dimension = TABLES.get(table).dimension();
      take(new RowChange(table, id, Arrays.copyOfRange(floats, at, at + dimension)));
    }

    @Override
    public void removed(int table, long id) {
      take(new RowChange(table, id, null));
    }

    private void take(RowChange change) {
      OutputRecord record = writer.record(change);
      copy.take(record.keyOrNull(), record.valueOrNull());
    }
  }

  private void commit() throws IOException {
    copy.commit("rows", "1");
  }

  private void describe(RowTable table) throws IOException {
    copy.take(RowRecords.key(table.name()), RowRecords.describe(table));
    commit();
  }

  @Test
  void aCopyIsReadAsTheShardAnswersToTheBit() throws IOException {
    long seed = Seeds.next();
    Random random = new Random(seed);
    for (RowTable table : TABLES) {
      describe(table);
    }
    KeyGroups groups = new KeyGroups(0, 0, 1, id -> 0);
    RowShard shard =
        new RowShard(
            TABLES, List.of(new MapStore(), new MapStore()), groups, new Writing(), 1000, 1000);
    CopyReader reader = new CopyReader(copy, SHAPE);
    PooledRows pooled = new PooledRows(SHAPE);
    for (int round = 0; round < 40; round++) {
      for (int i = 0; i < 10; i++) {
        push(shard, random.nextInt(2), random.nextInt(IDS), random);
      }
      // A pass over all rows begins: until then a copy has rows that a pull doesn't read any more.
      shard.flush();
      shard.advance(new RowMinibatch(1, RowPush.NO_TIME, 6, 0));
      shard.sweep(1_000);
      shard.tell();
      commit();

      IdLists ids = ids(random, 9);
      float[] answered = new float[9 * SHAPE.features()];
      pooled.fill(
          ids,
          (table, dimension, wanted, n, values) ->
              shard.pull(table.equals("users") ? 0 : 1, wanted, 0, n, values, 0, new int[n]),
          answered);
      float[] read = new float[answered.length];
      reader.complete(ids, read);
      assertThat(read).as("seed %s, round %s", seed, round).isEqualTo(answered);
    }
  }

  private static void push(RowShard shard, int table, long id, Random random) {
    RowMinibatch minibatch = new RowMinibatch(1, RowPush.NO_TIME, 1, 0);
    float[] gradients = new float[TABLES.get(table).dimension()];
    for (int i = 0; i < gradients.length; i++) {
      gradients[i] = (float) random.nextGaussian();
    }
    shard.advance(minibatch);
    shard.push(table, new long[] {id}, 0, 1, gradients, 0, new int[] {1}, minibatch);
  }

  /** Half of the ids have never had a row. */
  private static IdLists ids(Random random, int rows) {
    IdLists ids = new IdLists(2);
    for (int row = 0; row < rows; row++) {
      ids.add(random.nextInt(2 * IDS));
      ids.end();
      for (int i = random.nextInt(5); i > 0; i--) {
        ids.add(random.nextInt(2 * IDS));
      }
      ids.end();
    }
    return ids;
  }

  @Test
  void aTableThatIsNotThereYetIsWaitedFor() throws IOException {
    describe(TABLES.get(0));

    assertThatThrownBy(() -> new CopyReader(copy, SHAPE))
        .isInstanceOf(MissingRowsException.class)
        .hasMessage("there are no rows of the table 'items' yet, which the field 'items' takes");
  }

  @Test
  void rowsOfAnotherDimensionAreRefused() throws IOException {
    describe(TABLES.get(0));
    describe(RowTable.of("items", 5));

    assertThatThrownBy(() -> new CopyReader(copy, SHAPE))
        .isInstanceOf(InvalidModelException.class)
        .isNotInstanceOf(MissingRowsException.class)
        .hasMessage("rows of the table 'items' have 5 values, and the field 'items' takes 2");
  }

  /** Such as one of before the table had another dimension. */
  @Test
  void aRowOfAnotherLengthReadsAsInitialValues() throws IOException {
    for (RowTable table : TABLES) {
      describe(table);
    }
    copy.take(RowRecords.key(RowRecords.key("users"), 9), RowRecords.value(new float[] {1, 2}));
    commit();

    float[] features = new float[SHAPE.features()];
    IdLists ids = new IdLists(2);
    ids.add(9);
    ids.end();
    ids.end();
    new CopyReader(copy, SHAPE).complete(ids, features);

    float[] initial = new float[3];
    RowTable users = TABLES.get(0);
    users.initial().fill(users.hash(), 9, initial, 0, 3);
    int from = SHAPE.columns().ids().get(0).features().from();
    assertThat(Arrays.copyOfRange(features, from, from + 3)).isEqualTo(initial);
  }
}
