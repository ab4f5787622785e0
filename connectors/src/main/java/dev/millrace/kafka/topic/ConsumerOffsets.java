package dev.millrace.kafka.topic;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer.PartitionOffsetsRetriever;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/** Looks offsets up with a consumer, as the source's enumerator does with an admin client. */
record ConsumerOffsets(Consumer<?, ?> consumer) implements PartitionOffsetsRetriever {

  @Override
  public Map<TopicPartition, Long> committedOffsets(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> found = new HashMap<>();
    consumer
        .committed(Set.copyOf(partitions))
        .forEach(
            (partition, committed) -> {
              if (committed != null) {
                found.put(partition, committed.offset());
              }
            });
    return found;
  }

  @Override
  public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
    return consumer.endOffsets(partitions);
  }

  @Override
  public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
    return consumer.beginningOffsets(partitions);
  }

  @Override
  public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
      Map<TopicPartition, Long> timestamps) {
    return consumer.offsetsForTimes(timestamps);
  }
}
