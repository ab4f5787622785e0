package dev.millrace.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.kafka.topic.Rate;
import dev.millrace.kafka.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.provider.EnvVarConfigProvider;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class ClientSettingsTest {

  @Test
  void clientsGetTheClustersPropertiesOverTheDefaults() {
    KafkaCluster cluster = new KafkaCluster("h:1", Map.of("linger.ms", "5"));

    assertThat(cluster.clientProperties(Map.of("linger.ms", "1", "acks", "all")))
        .containsOnly(
            Map.entry("bootstrap.servers", "h:1"),
            Map.entry("linger.ms", "5"),
            Map.entry("acks", "all"));
  }

  /** Kafka refuses a limit that is shorter than one request's. */
  @Test
  void requestsThatMayTakeLongerHaveNoShorterLimitAroundThem() {
    KafkaCluster cluster = new KafkaCluster("localhost:1", Map.of("request.timeout.ms", "60000"));
    Map<String, String> defaults =
        Map.of(
            "request.timeout.ms", "10000",
            "default.api.timeout.ms", "10000",
            "delivery.timeout.ms", "30000",
            "acks", "all");

    assertThat(cluster.clientProperties(defaults))
        .containsOnly(
            Map.entry("bootstrap.servers", "localhost:1"),
            Map.entry("request.timeout.ms", "60000"),
            Map.entry("acks", "all"));
    try (Admin admin = Admin.create(cluster.clientProperties(defaults));
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                cluster.clientProperties(defaults),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      assertThat(admin).isNotNull();
      assertThat(producer).isNotNull();
    }
  }

  /**
   * As docs/operate/security.md has it: Kafka's clients take secrets from the environment
   * themselves.
   */
  @Test
  void clientsReadValuesFromTheEnvironment() {
    KafkaCluster cluster =
        new KafkaCluster(
            "localhost:1",
            Map.of(
                "config.providers", "env",
                "config.providers.env.class", EnvVarConfigProvider.class.getName(),
                "client.id", "of ${env:PATH}"));

    String bytes = ByteArraySerializer.class.getName();
    Properties properties =
        cluster.clientProperties(Map.of("key.serializer", bytes, "value.serializer", bytes));

    assertThat(properties).containsEntry("client.id", "of ${env:PATH}");
    assertThat(new AdminClientConfig(properties).getString("client.id"))
        .isEqualTo("of " + System.getenv("PATH"));
    assertThat(new ProducerConfig(properties).getString("client.id"))
        .isEqualTo("of " + System.getenv("PATH"));
  }

  @Test
  void aClustersTextShowsNoSecrets() {
    assertThat(new KafkaCluster("h:1", Map.of("sasl.jaas.config", "hush")))
        .asString()
        .isEqualTo("h:1 with [sasl.jaas.config]");
  }

  @Test
  void topicsAreSelectedByNameOrByPattern() {
    List<String> existing = List.of("a-2", "a-1", "ba-3");

    assertThat(Topics.named(List.of("x", "a-1")).select(existing)).containsExactly("a-1", "x");
    assertThat(Topics.matching(Pattern.compile("a-\\d")).select(existing))
        .containsExactly("a-1", "a-2");
    assertThat(Topics.named(List.of("a-1")).includes("a-1")).isTrue();
    assertThat(Topics.named(List.of("a-1")).includes("a-2")).isFalse();
    assertThat(Topics.matching(Pattern.compile("a-\\d")).includes("a-2")).isTrue();
    assertThat(Topics.matching(Pattern.compile("a-\\d")).includes("ba-3")).isFalse();
    assertThatThrownBy(() -> Topics.named(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("topics");
  }

  @Test
  void aRateSaysWhenAnExampleIsDue() {
    assertThat(Rate.perSecond(4).due(6)).isEqualTo(Duration.ofMillis(1500));
    assertThat(Rate.unlimited().due(6)).isZero();
    assertThatThrownBy(() -> Rate.perSecond(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
  }
}
