package dev.millrace.kafka;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** One broker for all integration tests of a JVM; they keep apart by the names of their topics. */
final class SharedBroker {

  private static final LocalBroker BROKER =
      LocalBroker.start(
          classPathFile(),
          Path.of("target", "shared-broker", UUID.randomUUID().toString()),
          Map.of("auto.create.topics.enable", "false"));

  private SharedBroker() {}

  static KafkaCluster cluster() {
    return KafkaCluster.at(BROKER.bootstrapServers());
  }

  static Path classPathFile() {
    return Path.of(
        Objects.requireNonNull(
            System.getProperty("millrace.broker.classpath"),
            "millrace.broker.classpath isn't set; run this test with Maven's failsafe plugin"));
  }

  /** Makes a topic of a new name. */
  static String topic(String purpose, int partitions) throws Exception {
    String name = purpose + "-" + UUID.randomUUID();
    try (Admin admin = admin()) {
      admin.createTopics(Set.of(new NewTopic(name, partitions, (short) 1))).all().get();
    }
    return name;
  }

  static Admin admin() {
    return Admin.create(cluster().clientProperties(Map.of()));
  }
}
