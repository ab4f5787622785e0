package dev.millrace.kafka;

import dev.millrace.source.ForwardingReader;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader of the connector's that is told, and tells, when records were deleted by retention
 * before it came to them: it fails for good, or counts what it skips, as it was told to. What is
 * deleted while it runs and goes on is told by Kafka's client alone, in the log.
 */
@SuppressWarnings("try") // As the class that it extends.
final class LossReader<T, S extends SourceSplit> extends ForwardingReader<T, S> {

  private static final Logger LOG = LoggerFactory.getLogger(LossReader.class);

  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** What to do where records are gone. */
  record Policy(KafkaCluster cluster, boolean fails) implements Serializable {}

  private final Policy policy;
  private final Counter missed;

  LossReader(SourceReader<T, S> reader, Policy policy, MetricGroup metrics) {
    super(reader);
    this.policy = policy;
    this.missed = metrics.addGroup("millrace").counter("missedRecords");
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    try {
      return super.pollNext(output);
    } catch (RuntimeException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
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
                + " they were deleted by the topic's retention, or the topic was made anew. Go on"
                + " at the earliest that is left with input.on-missing-offsets: earliest, and keep"
                + " records for longer than the job may fall behind")
            .formatted(gone.offsetOutOfRangePartitions()),
        gone);
  }

  @Override
  public void addSplits(List<S> splits) {
    if (!policy.fails()) {
      tellMissed(splits);
    }
    super.addSplits(splits);
  }

  private void tellMissed(List<S> splits) {
    Map<TopicPartition, Long> next = new HashMap<>();
    for (S split : splits) {
      if (split instanceof KafkaPartitionSplit partition && partition.getStartingOffset() > 0) {
        next.put(partition.getTopicPartition(), partition.getStartingOffset());
      }
    }
    if (next.isEmpty()) {
      return;
    }
    Map<TopicPartition, OffsetSpec> earliest = new HashMap<>();
    next.keySet().forEach(partition -> earliest.put(partition, OffsetSpec.earliest()));
    try (BrokerConnection connection = BrokerConnection.open(policy.cluster(), LIMIT)) {
      Map<TopicPartition, ListOffsetsResultInfo> found =
          connection.get("look for the first records", a -> a.listOffsets(earliest).all());
      found.forEach((partition, first) -> tellMissed(partition, next.get(partition), first));
    } catch (KafkaAccessException e) {
      LOG.warn("Whether records were deleted before they were read isn't known", e);
    }
  }

  private void tellMissed(TopicPartition partition, long next, ListOffsetsResultInfo first) {
    if (first.offset() > next) {
      missed.inc(first.offset() - next);
      LOG.warn(
          "The records of {} from offset {} to {} were deleted before they were read, and are"
              + " skipped, as input.on-missing-offsets says",
          partition,
          next,
          first.offset() - 1);
    }
  }
}
