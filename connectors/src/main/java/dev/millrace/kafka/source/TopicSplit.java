package dev.millrace.kafka.source;

import dev.millrace.model.Partition;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/** A partition that is being read, of a topic that is known by its id and not by its name alone. */
final class TopicSplit extends KafkaPartitionSplit {

  private final String topicId;

  TopicSplit(KafkaPartitionSplit split, String topicId) {
    super(
        split.getTopicPartition(),
        split.getStartingOffset(),
        split.getStoppingOffset().orElse(NO_STOPPING_OFFSET));
    this.topicId = topicId;
  }

  /** The id that a split came with; {@link Partition#NO_ID} where it came with none. */
  static String topicId(KafkaPartitionSplit split) {
    return split instanceof TopicSplit known ? known.topicId : Partition.NO_ID;
  }

  static Partition partition(KafkaPartitionSplit split) {
    return new Partition(split.getTopic(), topicId(split), split.getPartition());
  }
}
