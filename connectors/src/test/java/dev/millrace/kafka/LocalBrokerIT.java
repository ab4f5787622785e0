package dev.millrace.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.TopicCheck;
import dev.millrace.local.broker.LocalBroker;
import dev.millrace.local.broker.LocalBrokerException;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(240)
class LocalBrokerIT {

  @TempDir Path directory;

  @Test
  void keepsPortAndDataOverStopAndKill() throws Exception {
    try (LocalBroker broker = LocalBroker.start(Broker.classPath(), directory)) {
      String address = broker.bootstrapServers();
      try (Admin admin = admin(broker)) {
        admin.createTopics(Set.of(new NewTopic("kept", 2, (short) 1))).all().get();
      }

      broker.kill();
      assertThat(broker.isRunning()).isFalse();
      broker.restart();
      assertThat(broker.bootstrapServers()).isEqualTo(address);
      assertThat(topics(broker)).containsExactly("kept");

      broker.stop();
      assertThat(broker.isRunning()).isFalse();
      assertThat(directory.resolve("data/.kafka_cleanshutdown")).exists();
    }
    try (LocalBroker again = LocalBroker.start(Broker.classPath(), directory)) {
      assertThat(topics(again)).containsExactly("kept");
    }
  }

  @Test
  void takesNoOtherBrokerForItself() throws Exception {
    try (LocalBroker broker = LocalBroker.start(Broker.classPath(), directory.resolve("one"))) {
      broker.stop();
      Map<String, String> samePlace =
          Map.of(
              "listeners",
              "OTHER://" + broker.bootstrapServers(),
              "listener.security.protocol.map",
              "OTHER:PLAINTEXT");
      try (LocalBroker other =
          LocalBroker.start(Broker.classPath(), directory.resolve("two"), samePlace)) {
        assertThatThrownBy(broker::restart).isInstanceOf(LocalBrokerException.class);
        assertThat(broker.isRunning()).isFalse();
        assertThat(other.isRunning()).isTrue();
      }
      broker.restart();
      assertThat(topics(broker)).isEmpty();
    }
  }

  @Test
  void makesTopicsAtTheirFirstUse() {
    try (LocalBroker broker = LocalBroker.start(Broker.classPath(), directory)) {
      KafkaCluster cluster = KafkaCluster.at(broker.bootstrapServers());

      assertThatCode(() -> TopicCheck.outputs(cluster, List.of("metrics"), Broker.LIMIT))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void endsWhenItsParentIsKilled() throws Exception {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                BrokerParent.class.getName(),
                Broker.classPath(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = parent.inputReader(StandardCharsets.UTF_8)) {
      String line = out.lines().filter(l -> l.startsWith("broker ")).findFirst().orElseThrow();
      ProcessHandle broker =
          ProcessHandle.of(Long.parseLong(line.substring("broker ".length()))).orElseThrow();

      parent.destroyForcibly().waitFor();

      await().atMost(Duration.ofMinutes(1)).until(() -> !broker.isAlive());
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  void saysWhyItDidNotComeUp() {
    assertThatThrownBy(
            () ->
                LocalBroker.start(Broker.classPath(), directory, Map.of("num.io.threads", "many")))
        .isInstanceOf(LocalBrokerException.class)
        .hasMessageContaining("broker.log")
        .hasMessageContaining("many")
        .hasMessageContaining("num.io.threads");
  }

  private static Set<String> topics(LocalBroker broker) throws Exception {
    try (Admin admin = admin(broker)) {
      return admin.listTopics().names().get();
    }
  }

  private static Admin admin(LocalBroker broker) {
    return Admin.create(KafkaCluster.at(broker.bootstrapServers()).clientProperties(Map.of()));
  }
}
