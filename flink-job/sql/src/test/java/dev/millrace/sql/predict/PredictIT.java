package dev.millrace.sql.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.job.testing.SharedFlink;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import dev.millrace.sql.NamedFields;
import dev.millrace.sql.PublishedNetwork;
import dev.millrace.sql.Queries;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ML_PREDICT over tables that end, with Flink's own planner. */
@ExtendWith(SharedFlink.class)
class PredictIT {

  private static final ExampleShape FLOWERS = new ExampleShape(4, 3, Target.CLASSIFICATION);
  private static final Map<String, String> CLASSES =
      Map.of("input.classes", "setosa;versicolor;virginica");

  @TempDir Path models;

  private Queries queries;

  @BeforeEach
  void open() throws Exception {
    queries = Queries.open(models, 1, 0);
  }

  @Test
  void aPredictionHasTheBitsOfTheModels() throws Exception {
    long seed = Seeds.next();
    Random random = new Random(seed);
    PublishedNetwork network = PublishedNetwork.of(FLOWERS).publish(models, CLASSES);
    queries.createModel(
        "f ARRAY<FLOAT>",
        "class STRING, number INT, probabilities ARRAY<FLOAT>, wide ARRAY<DOUBLE>, version STRING",
        "'outputs' = 'number:class,wide:probabilities'");
    String table =
        random
            .ints(200)
            .mapToObj(i -> "(ARRAY[%s])".formatted(floats(random, 4)))
            .collect(Collectors.joining(",", "(VALUES ", ") AS t(f)"));
    queries.run("CREATE TEMPORARY VIEW t AS SELECT f FROM " + table);

    List<Row> rows = queries.rows("SELECT * FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(f))");

    assertThat(rows).as("seed %d", seed).hasSize(200);
    List<String> names = List.of("setosa", "versicolor", "virginica");
    for (Row row : rows) {
      float[] expected = network.predict(floats(row.getFieldAs("f")));
      float[] predicted = floats(row.getFieldAs("probabilities"));
      assertThat(predicted).as("seed %d", seed).isEqualTo(expected);
      assertThat((Double[]) row.getField("wide")).as("seed %d", seed).hasSize(3);
      int best = best(expected);
      assertThat(row.getField("class")).as("seed %d", seed).isEqualTo(names.get(best));
      assertThat(row.getField("number")).as("seed %d", seed).isEqualTo(best);
      assertThat(row.getField("version")).as("seed %d", seed).isEqualTo("1.1");
    }
  }

  /** Flink passes INT, FLOAT and DECIMAL columns for DOUBLE ones, and casts none. */
  @Test
  void columnsOfOtherNumbersAreReadAsTheyCome() throws Exception {
    PublishedNetwork network = PublishedNetwork.of(FLOWERS).publish(models, Map.of());
    queries.createModel(
        "a DOUBLE, b DOUBLE, c DOUBLE, d DOUBLE", "probabilities ARRAY<FLOAT>, class STRING");
    queries.run(
        "CREATE TEMPORARY VIEW t AS SELECT CAST(5 AS INT) AS i, CAST(3.5 AS FLOAT) AS f, CAST(1.25 AS"
            + " DECIMAL(5, 2)) AS d, CAST(7 AS BIGINT) AS l FROM (VALUES (1)) AS v(x)");

    List<Row> rows =
        queries.rows("SELECT * FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(i, f, d, l))");

    float[] expected = network.predict(5, 3.5f, 1.25f, 7);
    assertThat(floats(rows.get(0).getFieldAs("probabilities"))).isEqualTo(expected);
    assertThat(rows.get(0).getField("class")).isEqualTo(String.valueOf(best(expected)));
  }

  /** Flink takes them, too, and their bytes would be read as those of other numbers. */
  @ParameterizedTest
  @CsvSource({"FLOAT, INT", "DOUBLE, BIGINT", "DOUBLE, INT"})
  void arraysOfOtherNumbersAreRefusedBeforeTheQueryRuns(String declared, String given) {
    queries.createModel("f ARRAY<%s>".formatted(declared), "class STRING");
    queries.run(
        "CREATE TEMPORARY VIEW t AS SELECT CAST(f AS ARRAY<%s>) AS f FROM (VALUES (ARRAY[1, 2])) AS v(f)"
            .formatted(given));

    assertFails(
        "EXPLAIN SELECT * FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(f))",
        "Input column 'f' is given ARRAY<%s>, which no model takes; give ML_PREDICT CAST(f AS ARRAY<FLOAT>)"
            .formatted(given));
  }

  @Test
  void anArrayOfFloatsMayStandForOneOfDoubles() throws Exception {
    PublishedNetwork network = PublishedNetwork.of(FLOWERS).publish(models, Map.of());
    queries.createModel("f ARRAY<DOUBLE>", "probabilities ARRAY<FLOAT>");
    queries.run(
        "CREATE TEMPORARY VIEW t AS SELECT CAST(f AS ARRAY<FLOAT>) AS f FROM (VALUES (ARRAY[1.5, 2.5, 3.5, 4.5])) AS v(f)");

    List<Row> rows = queries.rows("SELECT * FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(f))");

    assertThat(floats(rows.get(0).getFieldAs("probabilities")))
        .isEqualTo(network.predict(1.5f, 2.5f, 3.5f, 4.5f));
  }

  @Test
  void aRowThatIsNoExampleHasNullOutputs() throws Exception {
    TellingModels.publish(models, 3);
    queries.createModel("x DOUBLE", "`values` ARRAY<FLOAT>, version STRING");
    queries.run(
        "CREATE TEMPORARY VIEW t AS SELECT id, x FROM (VALUES (1, 5e0), (2, CAST(NULL AS DOUBLE)), (3, 1e300), (4, 7e0)) AS v(id, x)");

    List<Row> rows = queries.rows("SELECT * FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(x))");

    assertThat(rows)
        .extracting(row -> row.getField("id"), row -> row.getField("version"))
        .containsExactly(tuple(1, "1.3"), tuple(2, null), tuple(3, null), tuple(4, "1.3"));
    assertThat(floats(rows.get(3).getFieldAs("values"))).containsExactly(7, 3);
    assertThat(rows.get(1).getField("values")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x DOUBLE | CAST(NULL AS DOUBLE) | A row can't be predicted for: column 'x' is NULL. Filter",
        "x DOUBLE | 1e300 | column 'x': 1.0E300 is beyond the range of float",
        "x ARRAY<DOUBLE> | ARRAY[1e0, 2e0] | column 'x': 1 features expected, 2 found",
        "x ARRAY<DOUBLE> | ARRAY[CAST(NULL AS DOUBLE)] | column 'x': number 0 is NULL",
        "x ARRAY<DOUBLE> | CAST(NULL AS ARRAY<DOUBLE>) | column 'x' is NULL"
      })
  void orItFailsTheQuery(String input, String value, String message) throws Exception {
    TellingModels.publish(models, 3);
    queries.createModel(input, "`values` ARRAY<FLOAT>", "'invalid-rows' = 'fail'");
    queries.run("CREATE TEMPORARY VIEW t AS SELECT x FROM (VALUES (%s)) AS v(x)".formatted(value));

    assertFails(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x DOUBLE, y DOUBLE | `values` ARRAY<FLOAT> | The model takes 1 features, and INPUT has 2 columns;",
        "y STRING | `values` ARRAY<FLOAT> | and input column 'y' has type STRING; declare it DOUBLE, and give ML_PREDICT CAST(y AS DOUBLE)",
        "x DOUBLE | class STRING | Output column 'class' holds class, which models for classification have, and the model is for regression; declare value or values",
        "x DOUBLE | `value` DOUBLE | Output column 'value' holds one value, and the model has 2 outputs; declare values ARRAY<FLOAT>"
      })
  void columnsThatDoNotFitTheModelFailTheQueryOnceAndForAll(
      String input, String output, String message) throws Exception {
    TellingModels.publish(models, 3);
    queries = Queries.open(models, 1, 1_000_000);
    queries.createModel(input, output);
    String columns = input.replaceAll(" (DOUBLE|STRING)", "");
    queries.run(
        "CREATE TEMPORARY VIEW t AS SELECT x, CAST(x AS %s) AS y FROM (VALUES (1e0)) AS v(x)"
            .formatted(input.contains("STRING") ? "STRING" : "DOUBLE"));

    assertFails(
        "SELECT * FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(%s))".formatted(columns), message);
  }

  @Test
  void namedFieldsAreColumnsOfTheirNames() throws Exception {
    NamedFields fields = NamedFields.publish(models);
    queries.createModel(
        "`at` TIMESTAMP(3), color STRING, amount DECIMAL(10, 2), urgent BOOLEAN, `day` DATE, n INT",
        "probabilities ARRAY<FLOAT>");
    queries.run(
        "CREATE TEMPORARY VIEW t AS SELECT * FROM (VALUES "
            + "(TIMESTAMP '2026-01-02 03:04:05.678', 'red', CAST(12.5 AS DECIMAL(10, 2)), TRUE, DATE '2026-01-03', 3),"
            + "(TIMESTAMP '2026-01-02 13:04:05', 'blue', CAST(NULL AS DECIMAL(10, 2)), FALSE, CAST(NULL AS DATE), 4)"
            + ") AS v(`at`, color, amount, urgent, `day`, n)");

    List<Row> rows =
        queries.rows(
            "SELECT * FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(`at`, color, amount, urgent, `day`, n))");

    assertThat(floats(rows.get(0).getFieldAs("probabilities")))
        .isEqualTo(
            fields.predict(
                "{\"at\":\"2026-01-02T03:04:05.678Z\",\"color\":\"red\",\"amount\":12.5,\"urgent\":true,\"day\":\"2026-01-03\",\"n\":3}"));
    assertThat(floats(rows.get(1).getFieldAs("probabilities")))
        .isEqualTo(
            fields.predict(
                "{\"at\":\"2026-01-02T13:04:05Z\",\"color\":\"blue\",\"urgent\":false,\"n\":4}"));
  }

  @Test
  void namedFieldsThatAreMissingOrUnknownFailTheQuery() throws Exception {
    NamedFields.publish(models);
    queries.createModel("color STRING", "probabilities ARRAY<FLOAT>");
    queries.run("CREATE TEMPORARY VIEW t AS SELECT x FROM (VALUES ('red')) AS v(x)");

    assertFails(
        "The model takes a field 'amount', and no column is called so; there are color. Declare one of that name");
  }

  @Test
  void aQueryWaitsForAModelNoLongerThanItIsTold() throws Exception {
    queries.createModel("x DOUBLE", "version STRING", "'first-model-wait' = '50 ms'");
    queries.run("CREATE TEMPORARY VIEW t AS SELECT x FROM (VALUES (1e0)) AS v(x)");

    assertFails("No model has come in %s within 50 ms".formatted(models));
  }

  private void assertFails(String message) {
    assertFails("SELECT * FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(x))", message);
  }

  private void assertFails(String query, String message) {
    assertThatThrownBy(() -> queries.rows(query)).hasStackTraceContaining(message);
  }

  private static String floats(Random random, int count) {
    return random
        .doubles(count)
        .mapToObj(value -> "CAST(%s AS FLOAT)".formatted(100 * value))
        .collect(Collectors.joining(", "));
  }

  private static float[] floats(Float[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = values[i];
    }
    return floats;
  }

  private static int best(float[] values) {
    int best = 0;
    for (int i = 1; i < values.length; i++) {
      best = values[i] > values[best] ? i : best;
    }
    return best;
  }
}
