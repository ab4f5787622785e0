package dev.millrace.kafka.topic;

import static dev.millrace.kafka.testing.Broker.LIMIT;
import static dev.millrace.kafka.testing.Broker.cluster;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.source.TextFormat;
import dev.millrace.kafka.testing.Broker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.flink.configuration.MemorySize;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(240)
class TopicCheckIT {

  @Test
  void passesTopicsThatHoldExamples() throws Exception {
    String topic = Broker.topic("good", 3);
    Broker.write(topic, 0, "oops", "oops");
    Broker.write(topic, 2, "oops", "1 0 0");

    check(cluster(), topic);
  }

  @Test
  void passesAnEmptyTopic() {
    check(cluster(), Broker.topic("empty", 2));
  }

  @Test
  void namesTheFirstReasonWhereNothingCanBeUsed() throws Exception {
    String topic = Broker.topic("bad", 2);
    Broker.write(topic, 1, "1 2", "oops");

    assertThatThrownBy(() -> check(cluster(), topic))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessage(
            "None of the first 2 records of '%s' is an example that this job can use."
                    .formatted(topic)
                + " %s-1, offset 0: 2 parts, where 3 belong.".formatted(topic)
                + " Check the format, the number of features, and the labels");
  }

  /** A label in the key is what tutorials of others have. */
  @Test
  void namesTheKeyWhereNothingCanBeUsed() throws Exception {
    String topic = Broker.topic("keyed", 1);
    Broker.produce(topic, 0, List.of("1 2".getBytes(UTF_8)), any -> "0.0".getBytes(UTF_8));

    assertThatThrownBy(() -> check(cluster(), topic))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageEndingWith(
            "2 parts, where 3 belong. Check the format, the number of features, and the labels. The"
                + " key of that record, \"0.0\", isn't read: a label or a feature in it has to be"
                + " in the value, too");
  }

  /** The commonest topic, read as the rarest. */
  @Test
  void namesTheFieldsWhereArraysWereExpected() throws Exception {
    String topic = Broker.topic("named", 1);
    Broker.write(topic, 0, "{\"amount\": 12.5, \"country\": \"DE\", \"fraud\": 0}");

    ExampleDeserializer json =
        new ExampleDeserializer(
            TextFormat.SHAPE,
            ExampleFormat.named("json", TextFormat.SHAPE, FormatSettings.defaults()),
            MemorySize.ofMebiBytes(1));

    assertThatThrownBy(() -> check(cluster(), topic, json))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageEndingWith(
            "\"features\" expected, not found. It has the fields amount, country, fraud: run"
                + " millrace describe --topic %s, which writes the options of named fields"
                    .formatted(topic));
  }

  /** As after an outage, of which the topic keeps the rest. */
  @Test
  void passesWhereOnlyTheOldestAreNoExamples() throws Exception {
    String topic = Broker.topic("mended", 1);
    Broker.write(topic, 0, "no", "no", "no", "no", "no", "no", "1 0 0");

    check(cluster(), topic);
  }

  @Test
  void looksOnlyAtWhatTheJobWouldRead() throws Exception {
    String topic = Broker.topic("old", 1);
    Broker.write(topic, 0, "oops");

    TopicCheck.source(
        settings(cluster(), Topics.named(List.of(topic)), StartingOffsets.latest()),
        deserializer(),
        LIMIT);
  }

  @Test
  void saysThatATopicIsMissing() {
    String topic = "missing-" + UUID.randomUUID();

    assertThatThrownBy(() -> check(cluster(), topic))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("There is no topic '%s' at %s", topic, cluster().bootstrapServers())
        .hasMessageContaining("kafka-topics.sh")
        .hasMessageContaining("--create --topic " + topic);
    assertThatThrownBy(() -> TopicCheck.outputs(cluster(), List.of(topic), LIMIT))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("'%s'", topic)
        .hasMessageContaining("for the job to write to")
        .hasMessageContaining("--create --topic " + topic);
  }

  @Test
  void passesOutputsThatExist() {
    String topic = Broker.topic("out", 1);

    assertThatCode(() -> TopicCheck.outputs(cluster(), List.of(topic), LIMIT))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"compact", "compact,delete"})
  void refusesACompactedTopicForRecordsWithoutKeys(String policy) throws Exception {
    String topic = "compacted-" + UUID.randomUUID();
    try (Admin admin = Broker.admin()) {
      NewTopic compacted = new NewTopic(topic, 1, (short) 1);
      compacted.configs(Map.of("cleanup.policy", policy));
      admin.createTopics(List.of(compacted)).all().get();
    }

    assertThatThrownBy(() -> TopicCheck.keyless(cluster(), List.of(topic), LIMIT))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("'%s'", topic)
        .hasMessageContaining("cleanup.policy=" + policy)
        .hasMessageContaining("--add-config cleanup.policy=delete");
  }

  @Test
  void passesOtherTopicsForRecordsWithoutKeys() {
    List<String> topics = List.of(Broker.topic("log", 1), "missing-" + UUID.randomUUID());

    assertThatCode(() -> TopicCheck.keyless(cluster(), topics, LIMIT)).doesNotThrowAnyException();
  }

  @Test
  void saysThatNothingMatches() {
    SourceSettings settings =
        settings(
            cluster(), Topics.matching(Pattern.compile("nope-.*")), StartingOffsets.earliest());

    assertThatThrownBy(() -> TopicCheck.source(settings, deserializer(), LIMIT))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("No topic at %s is like 'nope-.*'", cluster().bootstrapServers());
  }

  /** At once: it doesn't wait for its limit. A port that is bound is nobody else's meanwhile. */
  @Test
  void saysThatNobodyListens() throws IOException {
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = bound.getLocalPort();

      assertThatThrownBy(
              () ->
                  TopicCheck.outputs(
                      KafkaCluster.at("127.0.0.1:" + port), List.of("t"), Duration.ofHours(1)))
          .isInstanceOf(KafkaAccessException.class)
          .hasMessage(
              "No Kafka broker can be reached (127.0.0.1:%s: nobody listens there, or a firewall is"
                      .formatted(port)
                  + " between). Start it, or correct bootstrap.servers, now '127.0.0.1:%s'"
                      .formatted(port));
    }
  }

  @Test
  void saysThatAPortIsNoBrokers() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      KafkaCluster cluster = KafkaCluster.at("127.0.0.1:" + silent.getLocalPort());

      assertThatThrownBy(() -> TopicCheck.outputs(cluster, List.of("t"), Duration.ofMillis(1500)))
          .isInstanceOf(KafkaAccessException.class)
          .hasMessageContaining("takes connections, but did not")
          .hasMessageContaining("security.protocol");
    }
  }

  @Test
  void saysThatTheWrongProtocolIsSpoken() {
    KafkaCluster tls =
        new KafkaCluster(cluster().bootstrapServers(), Map.of("security.protocol", "SSL"));

    assertThatThrownBy(() -> TopicCheck.outputs(tls, List.of("t"), Duration.ofSeconds(3)))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("security.protocol");
  }

  @Test
  void saysThatClientSettingsAreWrong() {
    KafkaCluster wrong =
        new KafkaCluster(cluster().bootstrapServers(), Map.of("security.protocol", "NOPE"));

    assertThatThrownBy(() -> check(wrong, "t"))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("NOPE")
        .hasMessageContaining("kafka.*");
    assertThatThrownBy(() -> check(KafkaCluster.at("localhost"), "t"))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("not 'localhost'");
    assertThat(wrong.toString()).doesNotContain("NOPE");
  }

  private static void check(KafkaCluster cluster, String topic) {
    check(cluster, topic, deserializer());
  }

  private static void check(KafkaCluster cluster, String topic, ExampleDeserializer deserializer) {
    TopicCheck.source(
        settings(cluster, Topics.named(List.of(topic)), StartingOffsets.earliest()),
        deserializer,
        LIMIT);
  }

  private static SourceSettings settings(
      KafkaCluster cluster, Topics topics, StartingOffsets start) {
    return SourceSettings.of(cluster, topics).startingAt(start).bounded(true);
  }

  private static ExampleDeserializer deserializer() {
    return new ExampleDeserializer(TextFormat.SHAPE, new TextFormat(), MemorySize.ofMebiBytes(1));
  }
}
