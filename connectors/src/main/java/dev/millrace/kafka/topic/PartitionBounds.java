package dev.millrace.kafka.topic;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import java.io.Serializable;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** Where partitions begin now, since retention moves that on, and where they end. */
public record PartitionBounds(KafkaCluster cluster) implements Serializable {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  /**
   * Looks up the first offsets, for every one of the partitions.
   *
   * @throws KafkaAccessException if that isn't possible
   */
  public Map<TopicPartition, Long> first(Collection<TopicPartition> partitions) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, LIMIT)) {
      return find(connection, partitions, OffsetSpec.earliest());
    }
  }

  /**
   * Looks up the offsets behind the last records; 0 for a partition that isn't there.
   *
   * @throws KafkaAccessException if that isn't possible
   */
  Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
    try (BrokerConnection connection = BrokerConnection.open(cluster, LIMIT)) {
      Set<String> names =
          partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet());
      Map<String, TopicDescription> topics = connection.topics(names);
      List<TopicPartition> there =
          partitions.stream().filter(partition -> isThere(partition, topics)).toList();
      Map<TopicPartition, Long> ends = new HashMap<>();
      partitions.forEach(partition -> ends.put(partition, 0L));
      ends.putAll(find(connection, there, OffsetSpec.latest()));
      return ends;
    }
  }

  private static boolean isThere(TopicPartition partition, Map<String, TopicDescription> topics) {
    TopicDescription topic = topics.get(partition.topic());
    return topic != null && partition.partition() < topic.partitions().size();
  }

  private static Map<TopicPartition, Long> find(
      BrokerConnection connection, Collection<TopicPartition> partitions, OffsetSpec which) {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    partitions.forEach(partition -> wanted.put(partition, which));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    connection
        .get("look for offsets", admin -> admin.listOffsets(wanted).all())
        .forEach((partition, found) -> offsets.put(partition, found.offset()));
    return offsets;
  }
}
