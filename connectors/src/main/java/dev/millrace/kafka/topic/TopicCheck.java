package dev.millrace.kafka.topic;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.record.ExampleDeserializer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Finds out, before a job is submitted, whether its topics can be used. Every failure is one {@link
 * KafkaAccessException} whose message says what to do.
 */
public final class TopicCheck {

  private static final String AUTO_CREATE = "auto.create.topics.enable";
  private static final String MOST_TIMEOUT = "transaction.max.timeout.ms";
  private static final int NAMES_SHOWN = 8;

  private TopicCheck() {}

  /**
   * Checks that the topics of a source exist, and that its first records can be used.
   *
   * @param deserializer as the job will have it; if every record that is tried is rejected, the
   *     check fails; if there is none, it doesn't
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if the job could not read, or would learn nothing
   */
  public static void source(
      SourceSettings settings, ExampleDeserializer deserializer, Duration limit) {
    new TopicSample(settings, partitions(settings, limit), limit).requireUsable(deserializer);
  }

  /**
   * Checks that the topics of a source exist, whatever their records hold.
   *
   * @throws KafkaAccessException if one doesn't
   */
  public static void exists(SourceSettings settings, Duration limit) {
    partitions(settings, limit);
  }

  /**
   * Counts the partitions that a source would read: as many readers have something to read.
   *
   * @throws KafkaAccessException if a topic doesn't exist
   */
  public static int partitionCount(SourceSettings settings, Duration limit) {
    return partitions(settings, limit).size();
  }

  /**
   * The partitions that a source would read.
   *
   * @throws KafkaAccessException if a topic doesn't exist
   */
  static List<TopicPartition> partitions(SourceSettings settings, Duration limit) {
    try (BrokerConnection connection = BrokerConnection.open(settings.cluster(), limit)) {
      return partitions(connection, settings);
    }
  }

  /**
   * Checks that topics that a job writes to exist, or will be made by the broker when it does.
   *
   * @throws KafkaAccessException if one would be missing
   */
  public static void outputs(KafkaCluster cluster, Collection<String> topics, Duration limit) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, limit)) {
      SortedSet<String> missing = new TreeSet<>(topics);
      missing.removeAll(existing(connection));
      if (!missing.isEmpty() && !autoCreates(connection)) {
        throw new KafkaAccessException(
            ("There is no topic '%s' at %s for the job to write to, and the broker doesn't make"
                    + " topics on its own (auto.create.topics.enable). Create it:"
                    + " kafka-topics.sh --bootstrap-server %s --create --topic %s")
                .formatted(
                    missing.first(),
                    cluster.bootstrapServers(),
                    cluster.bootstrapServers(),
                    missing.first()));
      }
    }
  }

  /**
   * Checks that topics take records without keys, of which brokers refuse any in a compacted topic.
   * A topic that isn't there passes, and so does one whose settings this user may not see.
   *
   * @throws KafkaAccessException if one is compacted
   */
  public static void keyless(KafkaCluster cluster, Collection<String> topics, Duration limit) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, limit)) {
      SortedSet<String> written = new TreeSet<>(topics);
      written.retainAll(existing(connection));
      for (String topic : written) {
        Optional<CleanupPolicy> policy = CleanupPolicy.ifTold(connection, topic);
        if (policy.filter(CleanupPolicy::compacts).isPresent()) {
          throw new KafkaAccessException(
              ("The topic '%s' at %s is compacted (cleanup.policy=%s), so it refuses records"
                      + " without keys, which this job writes to it. Name another topic, or change"
                      + " this one: kafka-configs.sh --bootstrap-server %s --alter --topic %s"
                      + " --add-config cleanup.policy=delete")
                  .formatted(
                      topic,
                      cluster.bootstrapServers(),
                      policy.get().text(),
                      cluster.bootstrapServers(),
                      topic));
        }
      }
    }
  }

  private static List<TopicPartition> partitions(
      BrokerConnection connection, SourceSettings settings) {
    SortedSet<String> existing = existing(connection);
    SortedSet<String> selected = settings.topics().select(existing);
    String servers = settings.cluster().bootstrapServers();
    if (selected.isEmpty()) {
      throw new KafkaAccessException(
          "No topic at %s is %s (%s). Create one, or correct the pattern"
              .formatted(servers, settings.topics(), some(existing)));
    }
    for (String topic : selected) {
      if (!existing.contains(topic)) {
        throw new KafkaAccessException(
            ("There is no topic '%s' at %s (%s). Correct its name, create it (kafka-topics.sh"
                    + " --bootstrap-server %s --create --topic %s), or have this user granted the"
                    + " right to describe it")
                .formatted(topic, servers, some(existing), servers, topic));
      }
    }
    List<TopicPartition> partitions = new ArrayList<>();
    Map<String, TopicDescription> descriptions =
        connection.get(
            "describe " + selected, admin -> admin.describeTopics(selected).allTopicNames());
    descriptions.forEach(
        (topic, description) ->
            description
                .partitions()
                .forEach(p -> partitions.add(new TopicPartition(topic, p.partition()))));
    return partitions;
  }

  private static SortedSet<String> existing(BrokerConnection connection) {
    Set<String> names = connection.get("list its topics", admin -> admin.listTopics().names());
    return new TreeSet<>(names);
  }

  /** Whether a missing topic is made at its first use; taken as no where that may not be asked. */
  private static boolean autoCreates(BrokerConnection connection) {
    return brokerSetting(connection, AUTO_CREATE).map(Boolean::parseBoolean).orElse(false);
  }

  /**
   * Checks that brokers take transactions of a length.
   *
   * @param timeout after which a transaction that nobody ends is aborted
   * @throws KafkaAccessException if they don't; where that may not be asked, they are taken to
   */
  public static void transactions(KafkaCluster cluster, Duration timeout, Duration limit) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, limit)) {
      long most =
          brokerSetting(connection, MOST_TIMEOUT).map(Long::parseLong).orElse(Long.MAX_VALUE);
      if (timeout.toMillis() > most) {
        throw new KafkaAccessException(
            ("A transaction of this job may last %s ms, and brokers at %s allow %s ms"
                    + " (transaction.max.timeout.ms). Give producers a shorter"
                    + " transaction.timeout.ms, or have brokers allow more")
                .formatted(timeout.toMillis(), cluster.bootstrapServers(), most));
      }
    }
  }

  /** A setting of a broker; empty where that may not be asked. */
  private static Optional<String> brokerSetting(BrokerConnection connection, String key) {
    Collection<Node> nodes =
        connection.get("describe the cluster", admin -> admin.describeCluster().nodes());
    ConfigResource broker =
        new ConfigResource(
            ConfigResource.Type.BROKER, Integer.toString(nodes.iterator().next().id()));
    try {
      Map<ConfigResource, Config> configs =
          connection.get(
              "describe the broker's settings",
              admin -> admin.describeConfigs(List.of(broker)).all());
      return Optional.ofNullable(configs.get(broker).get(key)).map(ConfigEntry::value);
    } catch (KafkaAccessException e) {
      return Optional.empty();
    }
  }

  private static String some(SortedSet<String> topics) {
    String listed = topics.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", "));
    return topics.isEmpty()
        ? "it has none"
        : topics.size() <= NAMES_SHOWN
            ? "it has " + listed
            : "it has %s and %s more".formatted(listed, topics.size() - NAMES_SHOWN);
  }
}
