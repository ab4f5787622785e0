package dev.millrace.kafka.models;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.TopicCreation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * A compacted topic of one partition that holds the newest published archive, in blocks.
 *
 * <p>A job has two slots, {@code a} and {@code b}, and people who put a model back have {@code c}
 * and {@code d}. Blocks of slot a have the keys {@code a/0}, {@code a/1} and so on. Models go into
 * a writer's slots in turn, and when all blocks of one are there the record with the key {@code
 * manifest} says which slot is valid. So whatever compaction removes, wherever a writer dies, and
 * whoever else writes, the blocks that the manifest tells of are there.
 */
public final class ModelTopic {

  static final String MANIFEST = "manifest";

  /** The version of the model that a block is of. */
  static final String VERSION_HEADER = "millrace.version";

  /** Brokers take 1 MB a record unless told otherwise. */
  static final int BLOCK_BYTES = 512 << 10;

  /** The keys allow an archive of 500 GB. */
  private static final Pattern BLOCK_KEY = Pattern.compile("[a-d]/\\d{1,6}");

  private static final int SEGMENT_BYTES = 64 << 20;

  private ModelTopic() {}

  static String blockKey(String slot, int block) {
    return slot + "/" + block;
  }

  static boolean isBlockKey(String key) {
    return BLOCK_KEY.matcher(key).matches();
  }

  /**
   * Sees to it that the topic is there and fit for models; it is made if it isn't there.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if it can't be made, or is there and unfit
   */
  public static void ensure(KafkaCluster cluster, String topic, Duration limit) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, limit)) {
      create(connection, topic);
    }
    // Waits until its leader serves it.
    TopicCreation.ensure(cluster, topic, 1, limit);
    try (BrokerConnection connection = BrokerConnection.open(cluster, limit)) {
      requireCompacted(connection, cluster, topic);
    }
  }

  /**
   * Checks that a topic is fit for models, or isn't there yet; changes nothing.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if it is there and unfit
   */
  public static void check(KafkaCluster cluster, String topic, Duration limit) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, limit)) {
      if (isThere(connection, topic)) {
        requireCompacted(connection, cluster, topic);
      }
    }
  }

  private static void create(BrokerConnection connection, String topic) {
    NewTopic wanted =
        new NewTopic(topic, Optional.of(1), Optional.empty())
            .configs(
                Map.of(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    TopicConfig.CLEANUP_POLICY_COMPACT,
                    // What was replaced is only removed from segments that are full: who starts to
                    // read shouldn't have to read hundreds of models to find the newest.
                    TopicConfig.SEGMENT_BYTES_CONFIG,
                    Integer.toString(SEGMENT_BYTES),
                    TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
                    "0.1"));
    try {
      connection.get(
          "create the topic '" + topic + "'", admin -> admin.createTopics(List.of(wanted)).all());
    } catch (KafkaAccessException e) {
      if (!(e.getCause() instanceof TopicExistsException) && !isThere(connection, topic)) {
        throw e;
      }
    }
  }

  /**
   * Says whether the topic is there: whoever may not create topics may find one that somebody else
   * has made.
   */
  private static boolean isThere(BrokerConnection connection, String topic) {
    return TopicCreation.partitions(connection, topic).isPresent();
  }

  private static void requireCompacted(
      BrokerConnection connection, KafkaCluster cluster, String topic) {
    Map<String, TopicDescription> described =
        connection.get(
            "describe the topic '" + topic + "'",
            admin -> admin.describeTopics(List.of(topic)).allTopicNames());
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Map<ConfigResource, Config> configs =
        connection.get(
            "describe the settings of '" + topic + "'",
            admin -> admin.describeConfigs(List.of(resource)).all());
    String policy = configs.get(resource).get(TopicConfig.CLEANUP_POLICY_CONFIG).value();
    if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
      throw new KafkaAccessException(
          ("Topic '%s' at %s has cleanup.policy '%s' (%s partition); for models it must be"
                  + " 'compact', or a model would be deleted by its age. Change it:"
                  + " kafka-configs.sh --bootstrap-server %s --alter --topic %s --add-config"
                  + " cleanup.policy=compact")
              .formatted(
                  topic,
                  cluster.bootstrapServers(),
                  policy,
                  described.get(topic).partitions().size(),
                  cluster.bootstrapServers(),
                  topic));
    }
  }
}
