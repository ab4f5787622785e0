package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.evaluate.setup.EvaluationArguments;
import dev.millrace.job.evaluate.setup.EvaluationSetup;
import dev.millrace.job.rows.files.PublishedRows;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.Scoring;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.job.testing.TestEnvironment;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs with a row for each user and item. */
@Tag("slow")
class RowsIT {

  private static final int RECORDS = 3_000;
  private static final int FAULTS = 7;
  private static final int MEAN_STEPS = 12;

  private static final String FIELDS =
      """
      [{"path": "user", "kind": "id", "table": "users", "dimension": 4},
       {"path": "price", "kind": "number"},
       {"path": "items", "kind": "ids", "table": "items", "dimension": 3},
       {"path": "clicked", "role": "label"}]
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path directory;

  private final List<List<Integer>> labels = new ArrayList<>();

  /** Each user likes everything or nothing, and prices tell nothing. */
  private String topic(int partitions) throws Exception {
    String topic = Broker.topic(partitions);
    Random random = new Random(5);
    for (int partition = 0; partition < partitions; partition++) {
      List<byte[]> records = new ArrayList<>();
      labels.add(new ArrayList<>());
      for (int i = 0; i < RECORDS; i++) {
        int user = (int) Math.abs(random.nextGaussian() * 60);
        String items = random.nextInt(10) == 0 ? "" : "\"i%s\",7".formatted(random.nextInt(500));
        int clicked = user * 7919 % 3 == 0 ? 1 : 0;
        labels.get(partition).add(clicked);
        records.add(
            "{\"user\":\"u%s\",\"price\":%s,\"items\":[%s],\"clicked\":%s}"
                .formatted(user, random.nextGaussian(), items, clicked)
                .getBytes(UTF_8));
      }
      Broker.produce(topic, partition, records);
    }
    return topic;
  }

  private Job job(TestEngine engine, String topic, String name) {
    return new Job(topic, directory.resolve(name))
        .engine(engine)
        .unset("input.features")
        .unset("input.outputs")
        .set("input.format", "json")
        .set("input.fields", FIELDS)
        .set("input.outputs", "2")
        .set("tables.*.learning-rate", "0.3")
        .set("exchange.schedule", "sync");
  }

  /**
   * A row that a failure lost, or that took a gradient twice, would change every later step.
   *
   * <p>Rows that are on the heap when a checkpoint is made, and rows that were written before, are
   * both in it: the cache holds a few.
   */
  @ParameterizedTest
  @EnumSource
  void inStepFailuresChangeNoBitOfTheModel(TestEngine engine) throws Exception {
    String topic = topic(1);
    Job undisturbed = alone(engine, topic, "undisturbed").run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);

    Job disturbed = alone(engine, topic, "disturbed").backend("rocksdb").faults(faults).run();

    assertThat(faults.thrown()).as("faults injected, seed %s", seed).isEqualTo(FAULTS);
    disturbed.assertTookAll(topic, RECORDS);
    assertThat(disturbed.trained().vector())
        .as("seed %s", seed)
        .containsExactly(undisturbed.trained().vector());
  }

  /** Replayed examples are drawn before their rows are asked for, again after each failure. */
  @Test
  void withReplayInStepFailuresChangeNoBitEither() throws Exception {
    String topic = topic(1);
    Job plain = alone(TestEngine.DL4J, topic, "plain").run();
    Job undisturbed = replaying(topic, "undisturbed").run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);

    Job disturbed = replaying(topic, "disturbed").backend("rocksdb").faults(faults).run();

    assertThat(faults.thrown()).as("faults injected, seed %s", seed).isEqualTo(FAULTS);
    disturbed.assertTookAll(topic, RECORDS);
    assertThat(disturbed.trained().vector())
        .as("seed %s", seed)
        .containsExactly(undisturbed.trained().vector())
        .isNotEqualTo(plain.trained().vector());
  }

  /** All members read the same rows, which learn once for all of them. */
  @ParameterizedTest
  @EnumSource
  void aPopulationLearnsFromOneTableAndInStepFailuresChangeNoBit(TestEngine engine)
      throws Exception {
    String topic = topic(1);
    Job undisturbed = population(engine, topic, "undisturbed").run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);

    Job disturbed = population(engine, topic, "disturbed").backend("rocksdb").faults(faults).run();

    assertThat(faults.thrown()).as("faults injected, seed %s", seed).isEqualTo(FAULTS);
    disturbed.assertTookAll(topic, RECORDS);
    assertThat(disturbed.trained().vector())
        .as("seed %s", seed)
        .containsExactly(undisturbed.trained().vector());
    List<JsonNode> progress = undisturbed.metrics("progress");
    assertThat(progress.get(progress.size() - 1).path("accuracy").asDouble()).isGreaterThan(0.95);
    List<JsonNode> told = undisturbed.metrics("rows");
    assertThat(told.get(told.size() - 1).path("tables").get(0).path("uses").asLong())
        .isEqualTo(RECORDS);
  }

  private Job population(TestEngine engine, String topic, String name) {
    return alone(engine, topic, name)
        .set("model.population.learning-rates", "0.001;0.003")
        .set("model.population.replay", "0;4")
        .set("replay.size", "500")
        .set("replay.share", "0.5");
  }

  private Job replaying(String topic, String name) {
    return alone(TestEngine.DL4J, topic, name).set("replay.size", "500").set("replay.share", "0.5");
  }

  private Job alone(TestEngine engine, String topic, String name) {
    return job(engine, topic, name)
        .parallelism(1)
        .set("rows.prefetch", "0")
        .set("rows.cache", "30");
  }

  @Test
  void replicasLearnFromTheSameRows() throws Exception {
    String topic = topic(2);

    Job job = job(TestEngine.DL4J, topic, "two").parallelism(2).run();

    job.assertTookAll(topic, RECORDS, RECORDS);
    var progress = job.metrics("progress");
    assertThat(progress.get(progress.size() - 1).path("accuracy").asDouble())
        .as("accuracy from the first record on, %s", progress.get(progress.size() - 1))
        .isGreaterThan(0.85);
  }

  /**
   * Each user likes everything or nothing: whoever has no rows is right for two of three at best.
   */
  @ParameterizedTest
  @CsvSource({"at-least-once, topic", "exactly-once, topic", "none, files"})
  void predictionsAreMadeOfTheRowsThatTrainingPublishes(String guarantee, String place)
      throws Exception {
    String others = topic(1);
    labels.clear();
    String topic = topic(2);
    String option = "rows." + place;
    String rows = place.equals("topic") ? topic + "-rows" : directory.resolve("rows").toString();
    Job job =
        job(TestEngine.DL4J, topic, "published")
            .set(option, rows)
            .set("rows.publish-interval", "20 ms")
            .set("evaluation.holdout", "topic:" + others)
            .set("evaluation.segments", "class");
    if (place.equals("topic")) {
      job.set("output.guarantee", guarantee);
    }
    job.run();
    Scoring scoring =
        new Scoring(topic, directory.resolve("published"))
            .unset("input.features")
            .set("input.fields", FIELDS)
            .set("input.target", "classification")
            .set(option, rows);

    scoring.run();

    List<Integer> right = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : Broker.read(scoring.output(), 2, 2 * RECORDS)) {
      JsonNode prediction = JSON.readTree(record.value());
      right.add(
          prediction.path("class").asInt()
                  == labels
                      .get(prediction.path("partition").asInt())
                      .get(prediction.path("offset").asInt())
              ? 1
              : 0);
    }
    assertThat(right).hasSize(2 * RECORDS);
    assertThat(right.stream().mapToInt(one -> one).average().orElseThrow()).isGreaterThan(0.9);
    assertRowsAreReported(job);
    List<JsonNode> heldOut = job.metrics("holdout");
    assertThat(heldOut.get(heldOut.size() - 1).path("accuracy").asDouble()).isGreaterThan(0.9);
    List<JsonNode> segments = job.metrics("segments");
    assertThat(segments.get(segments.size() - 1).path("segments"))
        .hasSize(2)
        .allSatisfy(one -> assertThat(one.path("accuracy").asDouble()).isGreaterThan(0.8));
    assertThat(evaluated(job, topic, option, rows)).isGreaterThan(0.9);
  }

  @Test
  void aJobThatBeginsAnewTellsOfRowsThatAreThere() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, List.of("{\"user\":\"one\",\"clicked\":1}".getBytes(UTF_8)));
    Job first = job(TestEngine.DL4J, topic, "first").set("rows.topic", topic + "-rows");
    Job second = job(TestEngine.DL4J, topic, "second").set("rows.topic", topic + "-rows");
    JobClient client = first.set("input.bounded", "false").set("batch.max-wait", "50 ms").start();
    first.await(() -> first.taken() == 1);
    String savepoint = first.stop(client, false);

    assertThat(first.warnings()).noneMatch(told -> told.contains("-rows"));
    assertThat(second.run().warnings())
        .anyMatch(told -> told.contains("'%s-rows' has rows of an earlier job".formatted(topic)));
    Job resumed = job(TestEngine.DL4J, topic, "first").set("rows.topic", topic + "-rows");
    assertThat(resumed.from(savepoint).run().warnings())
        .noneMatch(told -> told.contains("an earlier job"));
  }

  /** With one replica the same is learned each time, so the rows of the end are the same. */
  @Test
  void failuresChangeNoBitOfTheRowsInADirectory() throws Exception {
    String topic = topic(1);
    Job undisturbed = filing(topic, "undisturbed").run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);

    Job disturbed = filing(topic, "disturbed").backend("rocksdb").faults(faults).run();

    assertThat(faults.thrown()).as("faults injected, seed %s", seed).isEqualTo(FAULTS);
    Map<String, Map<Long, List<Float>>> rows = rows(disturbed);
    assertThat(rows).as("seed %s", seed).isEqualTo(rows(undisturbed));
    assertThat(rows.get("users").size()).isBetween(100, 400);
    assertThat(rows.get("items").size()).isGreaterThan(400);
  }

  private Job filing(String topic, String name) {
    return alone(TestEngine.DL4J, topic, name)
        .set("rows.files", directory.resolve(name).resolve("rows").toString())
        .set("rows.publish-interval", "20 ms");
  }

  private Map<String, Map<Long, List<Float>>> rows(Job job) throws Exception {
    return PublishedRows.read(job.models().resolveSibling("rows"));
  }

  /** Rows of before the directory was named are there, too. */
  @Test
  void aDirectoryThatIsNewToAJobGetsAllRowsAndAnotherJobIsRefused() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, List.of("{\"user\":\"one\",\"clicked\":1}".getBytes(UTF_8)));
    Job first = job(TestEngine.DL4J, topic, "first");
    JobClient client = first.set("input.bounded", "false").set("batch.max-wait", "50 ms").start();
    first.await(() -> first.taken() == 1);
    String savepoint = first.stop(client, false);

    Job resumed = filing(topic, "first").parallelism(2).from(savepoint).run();
    assertThat(rows(resumed).get("users")).hasSize(1);

    Job other =
        filing(topic, "other")
            .set("rows.files", resumed.models().resolveSibling("rows").toString());
    assertThatThrownBy(other::run)
        .hasStackTraceContaining("has rows of another job, or of one that this job doesn't");
  }

  @Test
  void wherePublishedRowsWereIsNamedByItsOption() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, List.of("{\"user\":\"one\",\"clicked\":1}".getBytes(UTF_8)));
    Job first = filing(topic, "first").set("rows.topic", topic + "-rows");
    JobClient client = first.set("input.bounded", "false").set("batch.max-wait", "50 ms").start();
    first.await(() -> first.taken() == 1);
    String savepoint = first.stop(client, false);

    assertThat(alone(TestEngine.DL4J, topic, "first").from(savepoint).looked().problems())
        .singleElement()
        .extracting(Throwable::getMessage)
        .asString()
        .contains(
            "a job with rows or a training log in a topic (rows.topic or rebuild.log), and this one"
                + " has none",
            "a job with rows in a directory (rows.files), and this one has none");
    Job without =
        alone(TestEngine.DL4J, topic, "first")
            .from(savepoint)
            .flink("execution.state-recovery.ignore-unclaimed-state", "true");
    assertThat(without.looked().problems()).isEmpty();
    assertThat(without.run().warnings())
        .anyMatch(told -> told.contains("had rows in a directory (rows.files)"));
  }

  @Test
  void stateIsOnDiskUnlessTheClusterSaysOtherwise() throws Exception {
    Job job = job(TestEngine.DL4J, Broker.topic(1), "disk");
    assertThat(backend(job, new Configuration())).isEqualTo("rocksdb");
    assertThat(backend(job, new Configuration().set(StateBackendOptions.STATE_BACKEND, "hashmap")))
        .isEqualTo("hashmap");
  }

  private static String backend(Job job, Configuration flink) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(flink);
    job.check().build(environment, FaultInjector.NONE);
    return environment.getConfiguration().get(StateBackendOptions.STATE_BACKEND);
  }

  /** The last record comes at the end, so it has all uses: one of a user for each example. */
  private static void assertRowsAreReported(Job job) throws Exception {
    List<JsonNode> told = job.metrics("rows");
    JsonNode tables = told.get(told.size() - 1).path("tables");
    assertThat(tables)
        .extracting(table -> table.path("table").asText())
        .containsExactly("users", "items");
    JsonNode users = tables.get(0);
    List<JsonNode> progress = job.metrics("progress");
    // Some are held out.
    long learned = progress.get(progress.size() - 1).path("examples").asLong();
    assertThat(learned).isBetween(2L * RECORDS - 200, 2L * RECORDS);
    assertThat(users.path("uses").asLong()).isEqualTo(learned);
    assertThat(users.path("rows").asLong())
        .isEqualTo(users.path("created").asLong())
        .isBetween(100L, 400L);
    assertThat(users.path("hottest")).hasSize(10);
    assertThat(users.path("norm").asDouble()).isPositive();
  }

  private double evaluated(Job job, String topic, String option, String rows) throws Exception {
    Path report = directory.resolve("report.json");
    StreamExecutionEnvironment environment = TestEnvironment.local(2, "hashmap", null);
    EvaluationSetup.of(
            new EvaluationArguments(job.models().toString(), "topic:" + topic, report.toString()),
            OptionReader.configuration(
                Map.of(
                    "kafka.bootstrap.servers",
                    Broker.cluster().bootstrapServers(),
                    "kafka.group.id",
                    topic,
                    "input.format",
                    "json",
                    "input.fields",
                    FIELDS,
                    option,
                    rows)))
        .build(environment);
    environment.execute();
    return JSON.readTree(report.toFile()).path("accuracy").asDouble();
  }
}
