package dev.millrace.kafka;

import dev.millrace.source.ForwardingReader;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;

/**
 * A reader whose splits end as the job does, whatever the job did that saved them. The connector
 * (5.0.0) gives a partition an end when it finds it, and one of an unbounded job would have none
 * for ever.
 */
@SuppressWarnings("try") // As the class that it extends.
final class EndingReader<T> extends ForwardingReader<T, KafkaPartitionSplit> {

  private final SourceSettings settings;
  private final PartitionBounds bounds;

  EndingReader(SourceReader<T, KafkaPartitionSplit> reader, SourceSettings settings) {
    super(reader);
    this.settings = settings;
    this.bounds = new PartitionBounds(settings.cluster());
  }

  /**
   * Takes splits over.
   *
   * @throws BoundedStateException if one has an end, and the job has none: others may have ended
   * @throws KafkaAccessException if an end is needed and can't be looked up
   */
  @Override
  public void addSplits(List<KafkaPartitionSplit> splits) {
    if (!settings.bounded()) {
      splits.stream()
          .filter(split -> split.getStoppingOffset().isPresent())
          .findFirst()
          .ifPresent(
              split -> {
                throw new BoundedStateException(split.getTopicPartition());
              });
      super.addSplits(splits);
      return;
    }
    List<TopicPartition> endless =
        splits.stream()
            .filter(split -> split.getStoppingOffset().isEmpty())
            .map(KafkaPartitionSplit::getTopicPartition)
            .toList();
    super.addSplits(endless.isEmpty() ? splits : ending(splits, bounds.ends(endless)));
  }

  private List<KafkaPartitionSplit> ending(
      List<KafkaPartitionSplit> splits, Map<TopicPartition, Long> ends) {
    return splits.stream()
        .map(
            split ->
                ends.containsKey(split.getTopicPartition())
                    ? ending(split, ends.get(split.getTopicPartition()))
                    : split)
        .toList();
  }

  /** One that is shorter than what was read of it must not look as if all of it had been read. */
  private KafkaPartitionSplit ending(KafkaPartitionSplit split, long end) {
    long start = split.getStartingOffset();
    boolean shorter = start > end;
    return new KafkaPartitionSplit(
        split.getTopicPartition(),
        shorter && !settings.failOnLostRecords() ? KafkaPartitionSplit.EARLIEST_OFFSET : start,
        shorter && settings.failOnLostRecords() ? start + 1 : end);
  }
}
