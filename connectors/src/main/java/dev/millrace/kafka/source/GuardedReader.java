package dev.millrace.kafka.source;

import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.SplitBounds;
import dev.millrace.kafka.topic.Topics;
import dev.millrace.source.ForwardingReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads for a {@link GuardedSource}: hands the connector's reader no split before it is known to be
 * of a topic that is wanted ({@link Topics}), of the same one as before ({@link SameTopics}), and
 * from where to where it is read ({@link SplitBounds}). Where records were deleted that were to be
 * read next, it can be told to fail for good.
 *
 * <p>It leaves topics alone which a checkpoint tells of and the options no longer name; the
 * connector's (5.0.0) reads on in them. Where it was in them stays in checkpoints, so that a topic
 * that is named again later goes on there.
 */
@SuppressWarnings("try") // As the class that it extends.
final class GuardedReader<T> extends ForwardingReader<T, KafkaPartitionSplit> {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedReader.class);

  private final Topics wanted;
  private final SameTopics same;
  private final SplitBounds bounds;
  private final boolean failOnLostRecords;
  private final List<KafkaPartitionSplit> aside = new ArrayList<>();

  GuardedReader(
      SourceReader<T, KafkaPartitionSplit> reader, SourceSettings settings, SameTopics same) {
    super(reader);
    this.wanted = settings.topics();
    this.same = same;
    this.bounds = new SplitBounds(settings);
    this.failOnLostRecords = settings.failOnLostRecords();
  }

  @Override
  public void addSplits(List<KafkaPartitionSplit> splits) {
    List<KafkaPartitionSplit> selected = new ArrayList<>();
    for (KafkaPartitionSplit split : splits) {
      if (wanted.includes(split.getTopic())) {
        selected.add(split);
      } else {
        LOG.warn(
            "{} was read until offset {}, and isn't read any more: the job reads {}",
            split.getTopicPartition(),
            split.getStartingOffset(),
            wanted);
        aside.add(split);
      }
    }
    if (!selected.isEmpty()) {
      super.addSplits(bounds.settle(same.admit(selected)));
    }
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    try {
      return super.pollNext(output);
    } catch (RuntimeException e) {
      for (Throwable cause = e; failOnLostRecords && cause != null; cause = cause.getCause()) {
        if (cause instanceof OffsetOutOfRangeException gone) {
          same.requireSame(gone.offsetOutOfRangePartitions());
          throw new LostRecordsException(gone);
        }
      }
      throw e;
    }
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    List<KafkaPartitionSplit> all =
        new ArrayList<>(same.identify(super.snapshotState(checkpointId)));
    all.addAll(aside);
    return all;
  }

  @Override
  public void close() throws Exception {
    try (same) {
      super.close();
    }
  }
}
