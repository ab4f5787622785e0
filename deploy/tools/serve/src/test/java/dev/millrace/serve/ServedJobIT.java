package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SharedFlink;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.TopicCreation;
import dev.millrace.local.broker.LocalBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code millrace serve} as a process beside a job that trains: its models and rows come of topics.
 * Only the first model is published, so a prediction that changes has another row.
 */
@Tag("slow")
@ExtendWith(SharedFlink.class)
class ServedJobIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String FIELDS =
      """
      [{"path": "user", "kind": "id", "table": "users", "dimension": 4},
       {"path": "clicked", "role": "label"}]
      """;

  /** Of a step, which is a round. */
  private static final int BATCH = 8;

  /** Far more than tests make later, and later steps may have fewer examples. */
  private static final int ROUNDS_A_MODEL = 300;

  private static final int USERS = 40;
  private static final String TOPIC = "clicks";
  private static final String MODELS = "models";
  private static final String ROWS = "rows";

  @TempDir private Path directory;

  private LocalBroker broker;
  private KafkaCluster cluster;

  /** A broker that may be stopped. */
  @BeforeEach
  void start() throws Exception {
    broker = LocalBroker.start(Broker.classPath(), directory.resolve("broker"), new HashMap<>());
    cluster = KafkaCluster.at(broker.bootstrapServers());
    TopicCreation.ensure(cluster, TOPIC, 1, Broker.LIMIT);
    List<String> users = new ArrayList<>();
    for (int i = 0; i < ROUNDS_A_MODEL * BATCH; i++) {
      users.add("u" + i % USERS);
    }
    produce(users);
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  private Job job() {
    return new Job(TOPIC, directory.resolve("job"))
        .parallelism(1)
        .unset("input.features")
        .unset("model.hidden")
        .set("kafka.bootstrap.servers", cluster.bootstrapServers())
        .set("input.format", "json")
        .set("input.fields", FIELDS)
        .set("input.outputs", "2")
        .set("input.bounded", "false")
        .set("model.name", "linear")
        .set("batch.size", Integer.toString(BATCH))
        .set("batch.local-size", Integer.toString(BATCH))
        .set("batch.max-wait", "50 ms")
        .set("exchange.schedule", "sync")
        .set("exchange.local-steps", "1")
        .set("snapshot.topic", MODELS)
        .set("snapshot.rounds", Integer.toString(ROUNDS_A_MODEL))
        .set("rows.topic", ROWS)
        .set("rows.publish-interval", "50 ms");
  }

  private void produce(List<String> users) throws Exception {
    Map<String, Object> client = Map.of("bootstrap.servers", cluster.bootstrapServers());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (String user : users) {
        byte[] record =
            "{\"user\":\"%s\",\"clicked\":%s}".formatted(user, user.hashCode() & 1).getBytes(UTF_8);
        sent.add(producer.send(new ProducerRecord<>(TOPIC, record)));
      }
      for (Future<RecordMetadata> record : sent) {
        record.get();
      }
    }
  }

  private ServeProcess serve() throws Exception {
    return serve("--scoring.models-topic", MODELS);
  }

  private ServeProcess serve(String place, String models) throws Exception {
    return ServeProcess.start(
        directory.resolve("work"),
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"),
        List.of(
            "--kafka.bootstrap.servers",
            cluster.bootstrapServers(),
            place,
            models,
            "--rows.topic",
            ROWS));
  }

  /** What a model says of users. */
  private record Said(String version, List<Double> probabilities) {}

  private static Said said(ServeProcess server, String... users) throws Exception {
    Reply reply =
        server.predict(
            Stream.of(users)
                .map("{\"user\":\"%s\"}"::formatted)
                .collect(Collectors.joining(",", "[", "]")));
    List<Double> probabilities = new ArrayList<>();
    for (JsonNode prediction : reply.json().path("predictions")) {
      probabilities.add(prediction.path("probabilities").path(1).asDouble());
    }
    assertThat(probabilities).hasSize(users.length);
    return new Said(reply.json().path("model_version").asText(), probabilities);
  }

  /** Those that were learned before the server was there, and two since. */
  private static String[] allUsers() {
    return Stream.concat(
            IntStream.range(0, USERS).mapToObj(i -> "u" + i), Stream.of("one", "another"))
        .toArray(String[]::new);
  }

  /** Has a new user learned, and waits until the server predicts of the row. */
  private void learn(ServeProcess server, String user) throws Exception {
    Said before = said(server, user);
    produce(List.of(user));
    awaitOther(server, user, before);
  }

  private static void awaitOther(ServeProcess server, String user, Said before) {
    await().atMost(PATIENCE).until(() -> !said(server, user).equals(before));
  }

  @Test
  void predictionsFollowWhatIsLearnedAndAKilledServerGoesOnWithTheSameRows() throws Exception {
    Job job = job();
    JobClient client = job.start();
    job.await(() -> job.taken() == ROUNDS_A_MODEL * BATCH);
    Said all;
    Said meanwhile;
    try (ServeProcess server = serve().ready()) {
      Said one = said(server, "one");
      Said never = said(server, "never");

      learn(server, "one");

      assertThat(said(server, "one").version()).as("no other model").isEqualTo(one.version());
      assertThat(said(server, "never")).isEqualTo(never);
      // Rows are told of at intervals: with the row of a later one, all before are there.
      learn(server, "another");
      all = said(server, allUsers());
      meanwhile = said(server, "meanwhile");
      server.kill();
    }
    produce(List.of("meanwhile"));

    try (ServeProcess server = serve().ready()) {
      assertThat(said(server, allUsers())).isEqualTo(all);
      awaitOther(server, "meanwhile", meanwhile);
      learn(server, "afterwards");
      assertThat(said(server, "afterwards").version()).isEqualTo(all.version());
      assertThat(said(server, allUsers())).isEqualTo(all);
    }
    job.cancel(client);
  }

  @Test
  void aServerThatWasStoppedGoesOnWithWhatItHasKept() throws Exception {
    Job job = job();
    JobClient client = job.start();
    job.await(() -> job.taken() == ROUNDS_A_MODEL * BATCH);
    Said all;
    try (ServeProcess server = serve().ready()) {
      learn(server, "one");
      learn(server, "another");
      job.cancel(client);
      all = said(server, allUsers());
      assertThat(server.stop()).isEqualTo(143);
    }
    // The topic has no row any more.
    empty(ROWS);

    try (ServeProcess server = serve().ready()) {
      assertThat(said(server, allUsers())).isEqualTo(all);
      broker.stop();
      assertThat(said(server, allUsers())).as("without a broker").isEqualTo(all);
      assertThat(server.stop()).isEqualTo(143);
    }
    // What is in the store may be out of date, so a server that starts waits for a broker.
    try (ServeProcess server = serve("--scoring.models", job.models().toString())) {
      await().atMost(PATIENCE).until(() -> server.output().contains("waits for rows"));
      assertThat(server.isReady()).isFalse();
      broker.restart();
      assertThat(said(server.ready(), allUsers())).isEqualTo(all);
    }
  }

  private void empty(String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, topic),
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry("cleanup.policy", "compact,delete"),
                          AlterConfigOp.OpType.SET))))
          .all()
          .get();
      int partitions =
          admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size();
      admin
          .deleteRecords(
              IntStream.range(0, partitions)
                  .mapToObj(partition -> new TopicPartition(topic, partition))
                  .collect(
                      Collectors.toMap(
                          partition -> partition, any -> RecordsToDelete.beforeOffset(-1))))
          .all()
          .get();
    }
  }
}
