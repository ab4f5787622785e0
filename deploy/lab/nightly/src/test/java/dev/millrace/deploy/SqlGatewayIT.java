package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.deploy.SqlGateway.Client;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.local.cluster.ClusterFiles;
import dev.millrace.local.cluster.Installation;
import dev.millrace.local.cluster.LocalCluster;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * INSERT INTO and ML_PREDICT by Flink's SQL client and gateway, on a cluster of processes that know
 * Millrace's jar by ADD JAR alone. Flink has its own Kafka connector in its lib/, of another
 * version of Kafka.
 */
class SqlGatewayIT {

  private static final int ROWS = 4_000;

  /** A row as the client prints it: what is asked for, and what the model tells. */
  private static final Pattern ROW =
      Pattern.compile("\\| \\+I \\| +(\\d+) \\| +\\[([\\d.]+), ([\\d.]+)] \\| +1\\.(\\d+) \\|");

  private static final Pattern PREDICTION =
      Pattern.compile("\\| \\+I \\| +(\\d+) \\| +[01] \\| +([\\d.]+) \\|");

  private static final int TRAINED = 9_000;
  private static final int LINES = 2_000;

  /** One of so many lines has no label. */
  private static final int EVERY = 10;

  private static Path directory;
  private static LocalCluster cluster;
  private static SqlGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    directory = Distribution.workDirectory("sql");
    Installation installation = Distribution.withSql();
    cluster = new LocalCluster(installation, new ClusterFiles(directory.resolve("cluster")));
    cluster.start(TestCluster.plan(3, false, TestCluster.shortLived()));
    gateway = new SqlGateway(installation, cluster.files().conf(), directory.resolve("gateway"));
  }

  @AfterAll
  static void stop() throws IOException {
    if (gateway != null) {
      gateway.close();
    }
    cluster.stop();
  }

  @Test
  void aQueryTakesOverEachModelThatIsPublished() throws Exception {
    Path models = Files.createDirectories(directory.resolve("models"));
    TellingModels.publish(models, 1);

    Client client = gateway.run("query", script(models, "`values` ARRAY<FLOAT>, version STRING"));
    long published = 1;
    while (published < 4) {
      long served = published;
      await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(100))
          .until(() -> client.printed().contains(" 1.%s |".formatted(served)) || hasEnded(client));
      TellingModels.publish(models, ++published);
    }
    client.awaitEnd();

    String printed = client.printed();
    Matcher rows = ROW.matcher(printed);
    int count = 0;
    long newest = 0;
    while (rows.find()) {
      assertThat(rows.group(2)).isEqualTo(rows.group(1) + ".0");
      assertThat(rows.group(3)).isEqualTo(rows.group(4) + ".0");
      long version = Long.parseLong(rows.group(4));
      assertThat(version).isGreaterThanOrEqualTo(newest);
      newest = version;
      count++;
    }
    assertThat(count).as(printed).isEqualTo(ROWS);
    assertThat(newest).isEqualTo(4);
  }

  /** Two replicas learn from a query's rows while another query predicts by what they publish. */
  @Test
  void aTableTrainsWhatAQueryPredictsBy() throws Exception {
    Path models = Files.createDirectories(directory.resolve("trained"));

    gateway.run("train", training(models)).awaitEnd();
    Client client =
        gateway.run(
            "predict",
            script(models, "class STRING, version STRING", "SELECT x, class, version FROM"));
    client.awaitEnd();

    String printed = client.printed();
    Matcher rows = PREDICTION.matcher(printed);
    int count = 0;
    ModelVersion newest = new ModelVersion(0, 0);
    Set<ModelVersion> versions = new HashSet<>();
    while (rows.find()) {
      ModelVersion version = ModelVersion.parse(rows.group(2));
      assertThat(version).isGreaterThanOrEqualTo(newest);
      newest = version;
      versions.add(version);
      count++;
    }
    assertThat(count).as(printed).isEqualTo(ROWS);
    assertThat(versions).hasSizeGreaterThan(3);
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(() -> assertThat(learned(models)).isEqualTo(TRAINED));
  }

  /**
   * Flink's Kafka connector reads a topic, Millrace's own Kafka writes to another, in one job: the
   * rows that are no examples.
   */
  @Test
  void bothVersionsOfKafkaWorkInAQuery() throws Exception {
    Path models = Files.createDirectories(directory.resolve("of-a-topic"));
    String topic = Broker.topic("lines", 2);
    String letters = Broker.topic("letters", 1);
    for (int partition = 0; partition < 2; partition++) {
      Broker.write(topic, partition, lines());
    }

    Client client = gateway.run("topic", trainingOfTopic(models, topic, letters));
    client.awaitEnd();

    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(learned(models)).as(client.printed()).isEqualTo(LINES));
    assertThat(Broker.read(letters)).hasSize(LINES / EVERY);
  }

  /** Makes the lines of a partition, some without a label. */
  private static String[] lines() {
    return IntStream.range(0, LINES / 2)
        .mapToObj(i -> i % EVERY == 0 ? i + "," : i + "," + (i % 2))
        .toArray(String[]::new);
  }

  private static String trainingOfTopic(Path models, String topic, String letters) {
    String servers = Broker.cluster().bootstrapServers();
    return String.join(
        ";\n",
        List.of(
            "ADD JAR '%s'".formatted(Distribution.sqlJar()),
            "SET 'execution.checkpointing.interval' = '1 s'",
            "CREATE TABLE topic (line STRING) WITH ('connector' = 'kafka', 'topic' = '%s',"
                    .formatted(topic)
                + " 'properties.bootstrap.servers' = '%s', 'format' = 'raw',".formatted(servers)
                + " 'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset')",
            "CREATE TABLE training (x INT, label INT) WITH ('connector' = 'millrace',"
                + " 'model.name' = 'linear', 'input.outputs' = '2', 'batch.size' = '32',"
                + " 'properties.bootstrap.servers' = '%s', 'dead-letter.topic' = '%s',"
                    .formatted(servers, letters)
                + " 'uid-prefix' = 'training', 'snapshot.interval' = '0 s',"
                + " 'snapshot.directory' = '%s')".formatted(models),
            "INSERT INTO training SELECT TRY_CAST(SPLIT_INDEX(line, ',', 0) AS INT),"
                + " TRY_CAST(SPLIT_INDEX(line, ',', 1) AS INT) FROM topic",
            ""));
  }

  /** Returns how many rows the newest model has taken, each once. */
  private static long learned(Path models) throws IOException {
    return LedgerCheck.requirePrefix(
            LatestSnapshot.find(models).orElseThrow().description(), "training")
        .values()
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** About half a minute of rows. */
  private static String training(Path models) {
    return String.join(
        ";\n",
        List.of(
            "ADD JAR '%s'".formatted(Distribution.sqlJar()),
            "SET 'parallelism.default' = '2'",
            "SET 'execution.checkpointing.interval' = '1 s'",
            "CREATE TABLE numbers (x BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' ="
                + " '300',"
                + " 'fields.x.kind' = 'sequence', 'fields.x.start' = '1', 'fields.x.end' = '%s')"
                    .formatted(TRAINED),
            "CREATE TABLE training (x BIGINT, label INT) WITH ('connector' = 'millrace',"
                + " 'model.name' = 'linear', 'input.outputs' = '2', 'batch.size' = '32',"
                + " 'snapshot.interval' = '1 s',"
                + " 'snapshot.directory' = '%s')".formatted(models),
            "INSERT INTO training SELECT MOD(x, 100), CASE WHEN MOD(x, 100) > 50 THEN 1 ELSE 0 END"
                + " FROM numbers",
            ""));
  }

  @Test
  void theClientSaysWhatIsWrongWithAModel() throws Exception {
    Client client = gateway.run("wrong", script(directory, "label STRING"));
    client.awaitEnd();

    assertThat(client.printed())
        .contains(
            "Output column 'label' is none of class, probabilities, scores, value, values,"
                + " version");
  }

  private static boolean hasEnded(Client client) throws IOException {
    if (!client.process().isAlive()) {
      throw new AssertionError("The client has ended:\n" + client.printed());
    }
    return false;
  }

  private static String script(Path models, String output) {
    return script(models, output, "SELECT * FROM");
  }

  /** About twenty seconds of rows. */
  private static String script(Path models, String output, String select) {
    return String.join(
        ";\n",
        List.of(
            "SET 'sql-client.execution.result-mode' = 'tableau'",
            "ADD JAR '%s'".formatted(Distribution.sqlJar()),
            "CREATE TABLE numbers (x BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' ="
                + " '200',"
                + " 'fields.x.kind' = 'sequence', 'fields.x.start' = '1', 'fields.x.end' = '%s')"
                    .formatted(ROWS),
            "CREATE MODEL m INPUT (x BIGINT) OUTPUT (%s) WITH ('provider' = 'millrace', 'models' = '%s')"
                .formatted(output, models),
            select + " ML_PREDICT(TABLE numbers, MODEL m, DESCRIPTOR(x))",
            ""));
  }
}
