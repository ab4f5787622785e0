package dev.millrace.kafka;

import java.io.Serializable;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Where partitions begin now: retention moves that on. */
record FirstOffsets(KafkaCluster cluster) implements Serializable {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  /**
   * Looks them up, for every one of the partitions.
   *
   * @throws KafkaAccessException if that isn't possible
   */
  Map<TopicPartition, Long> of(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetSpec> earliest = new HashMap<>();
    partitions.forEach(partition -> earliest.put(partition, OffsetSpec.earliest()));
    try (BrokerConnection connection = BrokerConnection.open(cluster, LIMIT)) {
      Map<TopicPartition, ListOffsetsResultInfo> found =
          connection.get("look for the first records", a -> a.listOffsets(earliest).all());
      Map<TopicPartition, Long> offsets = new HashMap<>();
      found.forEach((partition, first) -> offsets.put(partition, first.offset()));
      return offsets;
    }
  }
}
