package dev.millrace.kafka;

import dev.millrace.source.ForwardingReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * A reader of the connector's that leaves no doubt about what was to be read next, and can be told
 * to fail for good where that was deleted by retention.
 *
 * <p>The connector (5.0.0) gives partitions to readers with a marker for their earliest record, and
 * keeps it in checkpoints until a record is read; a restore then begins at what is the earliest by
 * that time, and nobody knows of the records that were deleted between. Here the marker becomes an
 * offset before anything is read. That of a savepoint which still holds the marker becomes the
 * earliest at the restore.
 */
@SuppressWarnings("try") // As the class that it extends.
final class LossReader<T> extends ForwardingReader<T, KafkaPartitionSplit> {

  private final PartitionBounds bounds;
  private final boolean fails;

  LossReader(SourceReader<T, KafkaPartitionSplit> reader, PartitionBounds bounds, boolean fails) {
    super(reader);
    this.bounds = bounds;
    this.fails = fails;
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    try {
      return super.pollNext(output);
    } catch (RuntimeException e) {
      for (Throwable cause = e; fails && cause != null; cause = cause.getCause()) {
        if (cause instanceof OffsetOutOfRangeException gone) {
          throw lost(gone);
        }
      }
      throw e;
    }
  }

  private static LostRecordsException lost(OffsetOutOfRangeException gone) {
    return new LostRecordsException(
        ("Records that were to be read next aren't there any more (partitions and offsets: %s):"
                + " the topic's retention deleted them, or the topic was created again. Have the"
                + " input start at the earliest that is left where offsets are missing, and keep"
                + " records for longer than the job may fall behind")
            .formatted(gone.offsetOutOfRangePartitions()),
        gone);
  }

  /**
   * Takes splits over.
   *
   * @throws KafkaAccessException if one has a marker, and the offset that it stands for can't be
   *     looked up
   */
  @Override
  public void addSplits(List<KafkaPartitionSplit> splits) {
    List<TopicPartition> marked =
        splits.stream()
            .filter(LossReader::isMarked)
            .map(KafkaPartitionSplit::getTopicPartition)
            .toList();
    super.addSplits(marked.isEmpty() ? splits : resolve(splits, bounds.first(marked)));
  }

  private static List<KafkaPartitionSplit> resolve(
      List<KafkaPartitionSplit> splits, Map<TopicPartition, Long> first) {
    List<KafkaPartitionSplit> resolved = new ArrayList<>();
    for (KafkaPartitionSplit split : splits) {
      resolved.add(
          isMarked(split)
              ? new KafkaPartitionSplit(
                  split.getTopicPartition(),
                  first.get(split.getTopicPartition()),
                  split.getStoppingOffset().orElse(KafkaPartitionSplit.NO_STOPPING_OFFSET))
              : split);
    }
    return resolved;
  }

  private static boolean isMarked(KafkaPartitionSplit split) {
    return split.getStartingOffset() == KafkaPartitionSplit.EARLIEST_OFFSET;
  }
}
