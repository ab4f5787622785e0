package dev.millrace.sql.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.SharedFlink;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.job.testing.TestEnvironment;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.testing.LedgerCheck;
import dev.millrace.sql.Queries;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** INSERT INTO a table that trains, by queries that end, with Flink's own planner. */
@ExtendWith(SharedFlink.class)
class TrainIT {

  private static final int ROWS = 3_000;
  private static final int FAILURES = 3;

  @TempDir Path directory;

  private Queries queries;

  @BeforeEach
  void open() throws Exception {
    StreamExecutionEnvironment environment = TestEnvironment.local(2, "hashmap", null, 10);
    queries = Queries.of(environment, directory);
    queries.run(
        "CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'fields.n.kind' ="
            + " 'sequence',"
            + " 'fields.n.start' = '0', 'fields.n.end' = '%s', 'rows-per-second' = '2000')"
                .formatted(ROWS - 1));
  }

  /** Words, numbers and a time: a number above the middle is of the class "high". */
  @Test
  void columnsAreFieldsThatQueriesPredictBy() throws Exception {
    queries.run(
        "CREATE TABLE training (amount DECIMAL(10, 2), color STRING, urgent BOOLEAN, `at`"
            + " TIMESTAMP(3), note STRING, kind STRING) WITH ('connector' = 'millrace', 'label' ="
            + " 'kind', 'id' = 'note', 'input.classes' = 'low;high', 'model.name' = 'mlp',"
            + " 'model.hidden' = '8',"
            + " 'batch.size' = '32', 'model.learning-rate' = '0.05', 'snapshot.directory' = '%s', 'snapshot.interval' = '0 s')"
                .formatted(directory));

    queries.insert(
        "INSERT INTO training SELECT CAST(MOD(n, 100) AS DECIMAL(10, 2)),"
            + " CASE WHEN MOD(n, 3) = 0 THEN 'red' ELSE 'blue' END, MOD(n, 2) = 0,"
            + " TO_TIMESTAMP(FROM_UNIXTIME(n * 3600)), CAST(n AS STRING),"
            + " CASE WHEN MOD(n, 100) >= 50 THEN 'high' ELSE 'low' END FROM numbers");

    SnapshotDescription model = model();
    assertThat(taken(model, "training")).isEqualTo(ROWS);
    assertThat(model.prequential().examples()).isEqualTo(ROWS);
    queries.createModel(
        "amount DECIMAL(10, 2), color STRING, urgent BOOLEAN, `at` TIMESTAMP(3)",
        "class STRING, version STRING");
    queries.run(
        "CREATE TEMPORARY VIEW asked AS SELECT CAST(x AS DECIMAL(10, 2)) AS amount, 'red' AS color,"
            + " TRUE AS urgent, TIMESTAMP '2026-01-01 10:00:00' AS `at` FROM (VALUES (5), (95)) AS"
            + " t(x)");
    List<Row> rows =
        queries.rows(
            "SELECT amount, class, version FROM ML_PREDICT(TABLE asked, MODEL m, DESCRIPTOR(amount,"
                + " color, urgent, `at`)) ORDER BY amount LIMIT 2");
    assertThat(rows.get(rows.size() - 2).getField("class")).isEqualTo("low");
    assertThat(rows.get(rows.size() - 1).getField("class")).isEqualTo("high");
  }

  /** A function of the query fails three times. */
  @Test
  void everyRowIsLearnedOnceOverFailures() throws Exception {
    FailingFunction.FAILED.set(0);
    queries.session().createTemporarySystemFunction("fails", new FailingFunction());
    queries.run(
        "CREATE TABLE training (features ARRAY<FLOAT>, label INT) WITH ('connector' = 'millrace',"
            + " 'input.features' = '2', 'input.outputs' = '2', 'model.name' = 'linear',"
            + " 'batch.size' = '16',"
            + " 'uid-prefix' = 'again', 'snapshot.directory' = '%s', 'snapshot.interval' = '0 s')"
                .formatted(directory));

    queries.insert(
        "INSERT INTO training SELECT ARRAY[CAST(n AS FLOAT), CAST(1 AS FLOAT)], CASE WHEN MOD(n,"
            + " 10) = 3 THEN CAST(NULL AS INT) ELSE CAST(MOD(fails(n), 2) AS INT) END FROM"
            + " numbers");

    SnapshotDescription model = model();
    assertThat(FailingFunction.FAILED).hasValue(FAILURES);
    assertThat(model.version().generation()).isPositive();
    assertThat(taken(model, "again")).isEqualTo(ROWS);
    assertThat(model.prequential().examples()).isEqualTo(ROWS - ROWS / 10);
  }

  /** The recipe of docs/guides/sql.md: the second table begins with the model of the first. */
  @Test
  void historyIsLearnedBeforeWhatComes() throws Exception {
    Path ofHistory = directory.resolve("history");
    Path live = directory.resolve("live");
    queries.run(
        trainingTable(
            "of_history",
            "'model.name' = 'mlp', 'model.hidden' = '8', 'model.learning-rate' = '0.05'",
            ofHistory));
    queries.run(trainingTable("live", "'model.archive' = '%s'".formatted(ofHistory), live));
    String rows =
        "SELECT CAST(MOD(n, 100) AS DOUBLE), CASE WHEN MOD(n, 3) = 0 THEN 'red' ELSE 'blue' END, CASE"
            + " WHEN MOD(n, 100) >= 50 THEN 'high' ELSE 'low' END FROM numbers WHERE n ";

    queries.insert("INSERT INTO of_history " + rows + "< 2000");
    queries.insert("INSERT INTO live " + rows + ">= 2000");

    SnapshotDescription first = LatestSnapshot.find(ofHistory).orElseThrow().description();
    SnapshotDescription last = LatestSnapshot.find(live).orElseThrow().description();
    assertThat(taken(first, "of_history")).isEqualTo(2_000);
    assertThat(taken(last, "live")).isEqualTo(ROWS - 2_000);
    assertThat(last.prequential().accuracy())
        .as("accuracy on new rows, of a model that has learned the history")
        .isGreaterThan(first.prequential().accuracy());
  }

  private static String trainingTable(String name, String model, Path models) {
    return "CREATE TABLE %s (amount DOUBLE, color STRING, kind STRING) WITH ('connector' ="
            .formatted(name)
        + " 'millrace', 'label' = 'kind', 'input.classes' = 'low;high', 'batch.size' = '32',"
        + " 'snapshot.interval' = '0 s', 'snapshot.directory' ="
        + " '%s', %s)".formatted(models, model);
  }

  /** Checkpoints come more often than batches are full, so rows wait for predictions in them. */
  @Test
  void rowsThatWaitForPredictionsAreNotLostOverFailures() throws Exception {
    FailingFunction.FAILED.set(0);
    queries.session().createTemporarySystemFunction("fails", new FailingFunction());
    TellingModels.publish(directory, 3);
    queries.createModel(
        "x BIGINT", "`values` ARRAY<FLOAT>", "'batch-size' = '100', 'max-wait' = '1 s'");
    Path trained = directory.resolve("trained");
    queries.run(
        "CREATE TABLE training (features ARRAY<FLOAT>, label INT) WITH ('connector' = 'millrace',"
            + " 'input.features' = '2', 'input.outputs' = '2', 'model.name' = 'linear',"
            + " 'batch.size' = '16',"
            + " 'snapshot.directory' = '%s', 'snapshot.interval' = '0 s')".formatted(trained));

    queries.insert(
        "INSERT INTO training SELECT `values`, CAST(MOD(fails(n), 2) AS INT) FROM"
            + " ML_PREDICT(TABLE numbers, MODEL m, DESCRIPTOR(n), MAP['max-concurrent-operations',"
            + " '100'])");

    assertThat(FailingFunction.FAILED).hasValue(FAILURES);
    SnapshotDescription model = LatestSnapshot.find(trained).orElseThrow().description();
    assertThat(taken(model, "training")).isEqualTo(ROWS);
    assertThat(model.prequential().examples()).isEqualTo(ROWS);
  }

  @Test
  void aSessionTrainsAgain() throws Exception {
    for (int i = 0; i < 2; i++) {
      queries.run(
          "CREATE TABLE t%s (x DOUBLE, y DOUBLE, label DOUBLE) WITH ('connector' = 'millrace', 'input.target' ="
                  .formatted(i)
              + " 'regression', 'model.name' = 'linear', 'snapshot.directory' = '%s')"
                  .formatted(directory.resolve("" + i)));
      queries.insert(
          "INSERT INTO t%s SELECT CAST(MOD(n, 7) AS DOUBLE), CAST(MOD(n, 11) AS DOUBLE), CAST(MOD(n, 7) AS DOUBLE) FROM numbers"
              .formatted(i));
      assertThat(
              taken(
                  LatestSnapshot.find(directory.resolve("" + i)).orElseThrow().description(),
                  "t" + i))
          .isEqualTo(ROWS);
    }
    // A query that has nothing to do with training runs in the same session.
    assertThat(queries.rows("SELECT n FROM numbers WHERE n < 2")).hasSize(2);
  }

  private SnapshotDescription model() throws Exception {
    return LatestSnapshot.find(directory).orElseThrow().description();
  }

  /** Each of a subtask's rows once, learned or rejected; how many there are of all subtasks. */
  private static long taken(SnapshotDescription model, String prefix) {
    return LedgerCheck.requirePrefix(model, prefix).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Fails at some rows, each time at another. */
  public static final class FailingFunction extends ScalarFunction {

    static final AtomicInteger FAILED = new AtomicInteger();

    public Long eval(Long n) {
      int failed = FAILED.get();
      if (failed < FAILURES
          && n >= (failed + 1) * ROWS / (FAILURES + 1)
          && FAILED.compareAndSet(failed, failed + 1)) {
        throw new IllegalStateException("planned for row " + n);
      }
      return n;
    }

    @Override
    public boolean isDeterministic() {
      return false;
    }
  }
}
