package dev.millrace.kafka.topic;

import dev.millrace.kafka.KafkaAccessException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;

/**
 * Says of splits at which offsets they begin and end, before anything of them is read.
 *
 * <p>A split ends as the job does, whatever the job did that saved it: the connector (5.0.0) gives
 * a partition an end when it finds it, and one of an unbounded job would have none for ever.
 *
 * <p>The connector gives partitions to readers with a marker for their earliest record, and keeps
 * it in checkpoints until a record is read; a restore then begins at what is the earliest by that
 * time, and nobody knows of the records that were deleted between. Here the marker becomes an
 * offset. That of a savepoint which still holds the marker becomes the earliest at the restore.
 */
public final class SplitBounds {

  private final PartitionBounds partitions;
  private final boolean bounded;
  private final boolean failOnLostRecords;

  public SplitBounds(SourceSettings settings) {
    this.partitions = new PartitionBounds(settings.cluster());
    this.bounded = settings.bounded();
    this.failOnLostRecords = settings.failOnLostRecords();
  }

  /**
   * Returns the splits with their offsets.
   *
   * @throws BoundedStateException if one has an end, and the job has none: others may have ended
   * @throws KafkaAccessException if an offset is needed and can't be looked up
   */
  public List<KafkaPartitionSplit> settle(List<KafkaPartitionSplit> splits) {
    if (bounded) {
      return withStart(withEnd(splits));
    }
    for (KafkaPartitionSplit split : splits) {
      if (split.getStoppingOffset().isPresent()) {
        throw new BoundedStateException(split.getTopicPartition());
      }
    }
    return withStart(splits);
  }

  private List<KafkaPartitionSplit> withEnd(List<KafkaPartitionSplit> splits) {
    List<TopicPartition> endless = partitions(splits, split -> split.getStoppingOffset().isEmpty());
    if (endless.isEmpty()) {
      return splits;
    }
    Map<TopicPartition, Long> ends = partitions.ends(endless);
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
        shorter && !failOnLostRecords ? KafkaPartitionSplit.EARLIEST_OFFSET : start,
        shorter && failOnLostRecords ? start + 1 : end);
  }

  private List<KafkaPartitionSplit> withStart(List<KafkaPartitionSplit> splits) {
    List<TopicPartition> marked = partitions(splits, SplitBounds::isMarked);
    if (marked.isEmpty()) {
      return splits;
    }
    Map<TopicPartition, Long> first = partitions.first(marked);
    return splits.stream()
        .map(
            split ->
                isMarked(split)
                    ? new KafkaPartitionSplit(
                        split.getTopicPartition(),
                        first.get(split.getTopicPartition()),
                        split.getStoppingOffset().orElse(KafkaPartitionSplit.NO_STOPPING_OFFSET))
                    : split)
        .toList();
  }

  private static boolean isMarked(KafkaPartitionSplit split) {
    return split.getStartingOffset() == KafkaPartitionSplit.EARLIEST_OFFSET;
  }

  private static List<TopicPartition> partitions(
      List<KafkaPartitionSplit> splits, Predicate<KafkaPartitionSplit> which) {
    return splits.stream().filter(which).map(KafkaPartitionSplit::getTopicPartition).toList();
  }
}
