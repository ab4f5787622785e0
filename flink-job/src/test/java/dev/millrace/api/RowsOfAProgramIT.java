package dev.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.sink.LineFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ids that a program gives train rows of embedding tables, as fields of a file do. */
class RowsOfAProgramIT {

  private static final int RECORDS = 1_000;

  /** Each of these gives the ids of a list as one. */
  private static final int WRONG = 50;

  @TempDir Path directory;

  /** Each user likes everything or nothing. */
  private record Click(int user, float price, String item, int label) {

    static Click of(long number) {
      Random random = new Random(number);
      int user = random.nextInt(40) - 20;
      return new Click(
          user, (float) random.nextGaussian(), "ü" + random.nextInt(99), user % 3 == 0 ? 1 : 0);
    }

    String json() {
      return "{\"features\":[%s],\"user\":%s,\"items\":[\"%s\",null,7],\"label\":%s}"
          .formatted(price, user, item, label);
    }
  }

  static void map(Long number, ExampleWriter to) {
    Click click = Click.of(number);
    to.label(click.label())
        .ids("items", Arrays.asList(click.item(), null, 7))
        .features(click.price())
        .id("user", click.user());
    if (number % WRONG == 3) {
      to.id("items", click.item());
    }
  }

  /** Another id anywhere would be another row, and change every later step. */
  @Test
  void theModelIsThatOfFieldsOfAFile() throws Exception {
    String topic = Broker.topic(1);
    List<byte[]> records = new ArrayList<>();
    for (long i = 0; i < RECORDS; i++) {
      if (i % WRONG != 3) {
        records.add(Click.of(i).json().getBytes(UTF_8));
      }
    }
    Broker.produce(topic, 0, records);
    Job byFile =
        new Job(topic, directory.resolve("file"))
            .unset("input.features")
            .set("input.outputs", "2")
            .set("input.format", "json")
            .set(
                "input.fields",
                """
                [{"path": "features[0]", "kind": "number"},
                 {"path": "user", "kind": "id", "table": "users", "dimension": 4},
                 {"path": "items", "kind": "ids", "dimension": 3, "pooling": "sum"},
                 {"path": "label", "role": "label"}]
                """)
            .set("rows.prefetch", "0")
            .set("tables.*.learning-rate", "0.3")
            .set("exchange.schedule", "sync")
            .parallelism(1)
            .run();

    Path models = directory.resolve("program");
    StreamExecutionEnvironment environment = ApiJob.environment(1);
    Millrace.train(
        environment,
        new NumberSequenceSource(0, RECORDS - 1),
        RowsOfAProgramIT::map,
        ApiJob.options(models, "sync")
            .model(
                Model.mlp(1, 2)
                    .hidden(16)
                    .ids(Ids.one("user", 4).table("users"), Ids.list("items", 3).sum()))
            .option("rows.prefetch", "0")
            .option("tables.*.learning-rate", "0.3")
            .option("rows.topic", topic + "-rows")
            .option("kafka.bootstrap.servers", Broker.cluster().bootstrapServers())
            .build());
    environment.execute();

    assertThat(ApiJob.description(models).prequential().examples()).isEqualTo(records.size());
    assertThat(ApiJob.vector(models)).containsExactly(byFile.trained().vector());
    assertThat(right(models, topic + "-rows")).isGreaterThan(0.95);
  }

  /** Returns the share of the users' examples that are predicted right, by published rows. */
  private double right(Path models, String rows) throws Exception {
    StreamExecutionEnvironment environment = ApiJob.environment(2);
    Millrace.score(
            environment.fromSequence(0, RECORDS - 1),
            ModelFeed.latest(models.toString()),
            RowsOfAProgramIT::map,
            ScoringOptions.builder()
                .rows(Broker.cluster().bootstrapServers(), Map.of(), rows)
                .build())
        .predictions()
        .map(
            prediction ->
                prediction.outputs()[Click.of(prediction.record()).label()] > 0.5 ? "right" : "no")
        .returns(Types.STRING)
        .sinkTo(new LineFile(directory.resolve("predictions")))
        .setParallelism(1);
    environment.execute();
    List<String> all = Files.readAllLines(directory.resolve("predictions"));
    assertThat(all).hasSize(RECORDS - RECORDS / WRONG);
    return all.stream().mapToInt(one -> one.equals("right") ? 1 : 0).average().orElseThrow();
  }
}
