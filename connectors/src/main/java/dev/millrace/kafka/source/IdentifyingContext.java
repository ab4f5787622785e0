package dev.millrace.kafka.source;

import dev.millrace.source.ForwardingContext;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/** Hands an enumerator's splits out with the ids of their topics. */
final class IdentifyingContext extends ForwardingContext<KafkaPartitionSplit, KafkaPartitionSplit> {

  private final IdentifiedTopics topics;

  IdentifyingContext(SplitEnumeratorContext<KafkaPartitionSplit> context, IdentifiedTopics topics) {
    super(context);
    this.topics = topics;
  }

  @Override
  public void assignSplits(SplitsAssignment<KafkaPartitionSplit> assignment) {
    assign(
        new SplitsAssignment<>(
            assignment.assignment().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, splits -> known(splits.getValue())))));
  }

  /**
   * Returns splits with the ids that are known; those that a reader gave back come with the id that
   * they had.
   */
  private List<KafkaPartitionSplit> known(List<KafkaPartitionSplit> splits) {
    return splits.stream()
        .map(
            split ->
                TopicSplit.topicId(split).isEmpty()
                    ? new TopicSplit(split, topics.id(split.getTopic()))
                    : split)
        .toList();
  }
}
