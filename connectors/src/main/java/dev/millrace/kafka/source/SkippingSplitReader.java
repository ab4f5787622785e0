package dev.millrace.kafka.source;

import dev.millrace.kafka.topic.PartitionBounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.base.source.reader.RecordsBySplits;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics;
import org.apache.flink.connector.kafka.source.reader.KafkaPartitionSplitReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches records as the connector does. Where those that come next were deleted, it may be told to
 * go on at the earliest that is left; then it counts the offsets between and says which they are:
 * at the start, after a restore and in the midst of reading. Kafka's client, which would skip them
 * without a word, has to be told not to: {@code auto.offset.reset} is {@code none}.
 *
 * <p>Used on the fetcher's thread alone.
 */
@SuppressWarnings("try") // As the class that it extends.
class SkippingSplitReader extends KafkaPartitionSplitReader {

  private static final Logger LOG = LoggerFactory.getLogger(SkippingSplitReader.class);

  private final PartitionBounds bounds;
  private final Counter missedOrNull;

  /**
   * Makes a reader.
   *
   * @param missedOrNull counts the offsets that are skipped; null if it fails instead
   */
  SkippingSplitReader(
      Properties properties,
      SourceReaderContext context,
      KafkaSourceReaderMetrics metrics,
      PartitionBounds bounds,
      Counter missedOrNull) {
    super(properties, context, metrics);
    this.bounds = bounds;
    this.missedOrNull = missedOrNull;
  }

  @Override
  public RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> fetch() throws IOException {
    try {
      return super.fetch();
    } catch (LogTruncationException e) {
      // The client may tell of this after it gave out records, which going on here would lose.
      throw e;
    } catch (OffsetOutOfRangeException e) {
      if (missedOrNull == null) {
        throw e;
      }
      // The client tells of this only when it has no records to give out.
      goOnAtTheFirst(e.offsetOutOfRangePartitions());
      return new RecordsBySplits<>(Map.of(), Set.of());
    }
  }

  private void goOnAtTheFirst(Map<TopicPartition, Long> gone) {
    Map<TopicPartition, Long> first = bounds.first(gone.keySet());
    List<KafkaPartitionSplit> moved = new ArrayList<>();
    gone.forEach(
        (partition, next) -> {
          tell(partition, next, first.get(partition));
          moved.add(new KafkaPartitionSplit(partition, first.get(partition)));
        });
    // Where they end is known from before, and stays so.
    handleSplitsChanges(new SplitsAddition<>(moved));
  }

  private void tell(TopicPartition partition, long next, long first) {
    if (first > next) {
      missedOrNull.inc(first - next);
      LOG.warn(
          "The records of {} from offset {} to {} were deleted before they were read, and are"
              + " skipped, as is to be done where offsets are missing",
          partition,
          next,
          first - 1);
    } else {
      LOG.warn(
          "{} has no offset {} any more, and is read from offset {} on: the topic was created"
              + " again, or the broker lost its end",
          partition,
          next,
          first);
    }
  }
}
