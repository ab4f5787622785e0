package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.digits.Digits;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.job.testing.Certificates;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SecuredBroker;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.ExampleProducer;
import dev.millrace.kafka.topic.Rate;
import dev.millrace.kafka.topic.TopicCreation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that asks who is there, and says who it is. */
@Tag("nightly")
class SecuredBrokerIT {

  private static final int EXAMPLES = 2_000;
  private static final String PASSWORD = "correct-horse-battery";

  @TempDir static Path places;
  private static Certificates certificates;
  private static SecuredBroker broker;

  @TempDir Path directory;

  @BeforeAll
  static void start() throws Exception {
    certificates = Certificates.in(places.resolve("certificates"));
    certificates.issue("client");
    broker = SecuredBroker.start(places.resolve("broker"), certificates, PASSWORD);
  }

  @AfterAll
  static void stop() {
    if (broker != null) {
      broker.close();
    }
  }

  @Test
  void aPasswordFromAFileIsInNothingThatTheJobWrites() throws Exception {
    Path secrets = Files.createDirectories(places.resolve("secrets"));
    Files.writeString(secrets.resolve("password"), PASSWORD);
    Map<String, String> client = login("${secret:%s:password}".formatted(secrets));
    client.put("config.providers", "secret");
    client.put(
        "config.providers.secret.class",
        "org.apache.kafka.common.config.provider.DirectoryConfigProvider");
    client.put("config.providers.secret.param.allowed.paths", secrets.toString());

    trainsOver(broker.login(), client);

    assertNoFileHas(PASSWORD);
  }

  @Test
  void aPasswordAmongTheOptionsIsInNothingThatTheJobWrites() throws Exception {
    trainsOver(broker.login(), login(PASSWORD));

    assertNoFileHas(PASSWORD);
  }

  @Test
  void acceptsACertificateInsteadOfAPassword() throws Exception {
    trainsOver(broker.mutual(), certified());
  }

  @Test
  void aWrongPasswordIsRefusedAndNotShown() {
    Job job = job("none", broker.login(), login("correct-hose-battery"));

    assertThatThrownBy(job::check)
        .hasStackTraceContaining("The Kafka broker at " + broker.login() + " refuses the login")
        .hasStackTraceContaining("sasl.*")
        .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("correct-hose-battery"));
  }

  @Test
  void anAuthorityThatNobodyKnowsIsNotTrusted() throws Exception {
    Map<String, String> client = login(PASSWORD);
    client.put(
        "ssl.truststore.location", Certificates.in(places.resolve("others")).trusted().toString());

    assertThatThrownBy(job("none", broker.login(), client)::check)
        .hasStackTraceContaining("No TLS connection to the Kafka broker at " + broker.login())
        .hasStackTraceContaining("Check kafka.security.protocol and kafka.ssl.*");
  }

  @Test
  void whoHasNoCertificateIsRefused() {
    Map<String, String> client = certified();
    client.keySet().removeIf(key -> key.startsWith("ssl.keystore"));

    assertThatThrownBy(job("none", broker.mutual(), client)::check)
        .hasStackTraceContaining("No TLS connection to the Kafka broker at " + broker.mutual())
        .hasStackTraceContaining("Check kafka.security.protocol and kafka.ssl.*");
  }

  private void trainsOver(String address, Map<String, String> client) throws Exception {
    KafkaCluster kafka = new KafkaCluster(address, client);
    String topic = "digits-" + UUID.randomUUID();
    TopicCreation.ensure(kafka, topic, 2, Duration.ofSeconds(30));
    ExampleSet digits = new Digits(EXAMPLES, 5).open();
    ExampleFormat format = ExampleFormat.named("uint8", digits.shape(), FormatSettings.defaults());
    try (ExampleSequence examples = digits.training();
        ExampleProducer producer = ExampleProducer.open(kafka, topic, format)) {
      producer.send(examples, Rate.unlimited(), EXAMPLES, soFar -> {});
    }

    Job job =
        job(topic, address, client)
            .set("dead-letter.topic", topic + "-letters")
            .set("metrics.topic", topic + "-metrics")
            .set("snapshot.topic", topic + "-models");
    TopicCreation.ensure(kafka, topic + "-letters", 1, Duration.ofSeconds(30));
    TopicCreation.ensure(kafka, topic + "-metrics", 1, Duration.ofSeconds(30));
    job.run();

    assertThat(job.description().learned()).isEqualTo(EXAMPLES);
  }

  private Job job(String topic, String address, Map<String, String> client) {
    Job job =
        new Job(topic, directory)
            .set("kafka.bootstrap.servers", address)
            .set("input.format", "uint8")
            .set("input.features", "784")
            .set("input.outputs", "10");
    client.forEach((key, value) -> job.set("kafka." + key, value));
    return job;
  }

  private static Map<String, String> login(String password) {
    Map<String, String> client = tls("SASL_SSL");
    client.put("sasl.mechanism", "SCRAM-SHA-512");
    client.put(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
            .formatted(SecuredBroker.USER, password));
    return client;
  }

  private static Map<String, String> certified() {
    Map<String, String> client = tls("SSL");
    client.put("ssl.keystore.location", places.resolve("certificates/client.p12").toString());
    client.put("ssl.keystore.type", "PKCS12");
    client.put("ssl.keystore.password", Certificates.PASSWORD);
    return client;
  }

  private static Map<String, String> tls(String protocol) {
    Map<String, String> client = new HashMap<>();
    client.put("security.protocol", protocol);
    client.put("ssl.truststore.location", certificates.trusted().toString());
    client.put("ssl.truststore.type", "PKCS12");
    client.put("ssl.truststore.password", Certificates.PASSWORD);
    return client;
  }

  /** Tried again where a checkpoint is deleted meanwhile. */
  private void assertNoFileHas(String text) {
    await()
        .atMost(Job.LIMIT)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(filesWith(text)).isEmpty());
  }

  /** Of models, checkpoints and metrics. */
  private List<Path> filesWith(String text) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> all = files.filter(Files::isRegularFile).toList();
      assertThat(all).hasSizeGreaterThan(3);
      return all.stream().filter(file -> has(file, text)).toList();
    }
  }

  private static boolean has(Path file, String text) {
    try {
      return Files.readString(file, ISO_8859_1).contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String stackTrace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
