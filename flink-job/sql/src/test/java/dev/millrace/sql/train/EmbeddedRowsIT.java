package dev.millrace.sql.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SharedFlink;
import dev.millrace.job.testing.TestEnvironment;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.sql.Queries;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Columns of ids train rows of embedding tables, as fields of a file do. */
@ExtendWith(SharedFlink.class)
class EmbeddedRowsIT {

  private static final int RECORDS = 1_000;

  @TempDir Path directory;

  /** Another id anywhere would be another row, and change every later step. */
  @Test
  void theModelIsThatOfFieldsOfAFile() throws Exception {
    String topic = Broker.topic(1);
    Broker.write(topic, 0, lines());
    Job byFile =
        new Job(topic, directory.resolve("file"))
            .unset("input.features")
            .unset("input.outputs")
            .set("input.format", "json")
            .set("input.classes", "no;yes")
            .set(
                "input.fields",
                """
                [{"path": "who", "kind": "id", "dimension": 4},
                 {"path": "price", "kind": "number"},
                 {"path": "items", "kind": "ids", "dimension": 4},
                 {"path": "clicked", "role": "label"}]
                """)
            .set("rows.prefetch", "0")
            .set("tables.*.learning-rate", "0.3")
            .set("exchange.schedule", "sync")
            .parallelism(1)
            .run();

    Path models = directory.resolve("sql");
    Queries queries = Queries.of(TestEnvironment.local(1, "hashmap", null, 0), models);
    queries.run(
        """
        CREATE TABLE clicks (who BIGINT, price DOUBLE, items ARRAY<STRING>, clicked STRING) WITH (
          'connector' = 'kafka', 'topic' = '%s', 'properties.bootstrap.servers' = '%s',
          'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset', 'format' = 'json')\
        """
            .formatted(topic, Broker.cluster().bootstrapServers()));
    queries.run(
        """
        CREATE TABLE training (who BIGINT, price DOUBLE, items ARRAY<STRING>, clicked STRING) WITH (
          'connector' = 'millrace', 'label' = 'clicked', 'input.classes' = 'no;yes',
          'embed' = 'who;items', 'dimension' = '4', 'model.name' = 'mlp', 'model.hidden' = '16',
          'batch.size' = '8', 'batch.local-size' = '8', 'batch.max-wait' = '1 h',
          'exchange.learning-rate-scaling' = 'none', 'exchange.round-timeout' = '1 h',
          'exchange.block-size' = '1 kb', 'exchange.schedule' = 'sync',
          'rows.prefetch' = '0', 'tables.*.learning-rate' = '0.3',
          'rows.topic' = '%s-rows', 'properties.bootstrap.servers' = '%s',
          'snapshot.directory' = '%s', 'snapshot.interval' = '0 s')\
        """
            .formatted(topic, Broker.cluster().bootstrapServers(), models));
    queries.insert("INSERT INTO training SELECT * FROM clicks");

    LatestSnapshot snapshot = LatestSnapshot.find(models).orElseThrow();
    ArchivedModel model =
        ModelEngine.named(snapshot.description().engine()).readArchive(snapshot.archive());
    assertThat(snapshot.description().prequential().examples()).isEqualTo(RECORDS);
    assertThat(model.vector()).containsExactly(byFile.trained().vector());
    assertThat(right(queries, topic + "-rows")).isGreaterThan(0.95);
  }

  /** Returns the share of the records that are predicted right, by published rows. */
  private static double right(Queries queries, String rows) throws Exception {
    queries.createModel(
        "who BIGINT, price DOUBLE, items ARRAY<STRING>",
        "class STRING",
        "'rows.topic' = '%s'".formatted(rows),
        "'properties.bootstrap.servers' = '%s'".formatted(Broker.cluster().bootstrapServers()));
    List<Row> predicted =
        queries.rows(
            "SELECT clicked, class FROM ML_PREDICT(TABLE clicks, MODEL m, DESCRIPTOR(who, price,"
                + " items)) WHERE who IS NOT NULL");
    assertThat(predicted).hasSize(RECORDS - RECORDS / 50);
    return predicted.stream()
        .mapToInt(row -> row.getField(0).equals(row.getField(1)) ? 1 : 0)
        .average()
        .orElseThrow();
  }

  /** Each of them likes everything or nothing. */
  private static String[] lines() {
    Random random = new Random(5);
    String[] lines = new String[RECORDS];
    for (int i = 0; i < RECORDS; i++) {
      int who = random.nextInt(40) - 20;
      lines[i] =
          "{\"who\":%s,\"price\":%s,\"items\":[\"i%s\",null,\"\u00fc%s\"],\"clicked\":\"%s\"}"
              .formatted(
                  i % 50 == 0 ? "null" : who,
                  random.nextGaussian(),
                  random.nextInt(99),
                  random.nextInt(9),
                  who % 3 == 0 ? "yes" : "no");
    }
    return lines;
  }
}
