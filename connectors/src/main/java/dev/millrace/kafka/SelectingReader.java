package dev.millrace.kafka;

import dev.millrace.source.ForwardingReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader that leaves topics alone which a checkpoint tells of and the options no longer name; the
 * connector's (5.0.0) reads on in them. Where it was in them stays in checkpoints, so that a topic
 * that is named again later goes on there.
 */
@SuppressWarnings("try") // As the class that it extends.
final class SelectingReader<T, S extends SourceSplit> extends ForwardingReader<T, S> {

  private static final Logger LOG = LoggerFactory.getLogger(SelectingReader.class);

  private final Topics topics;
  private final List<S> aside = new ArrayList<>();

  SelectingReader(SourceReader<T, S> reader, Topics topics) {
    super(reader);
    this.topics = topics;
  }

  @Override
  public void addSplits(List<S> splits) {
    List<S> selected = new ArrayList<>();
    for (S split : splits) {
      if (split instanceof KafkaPartitionSplit partition
          && !topics.includes(partition.getTopic())) {
        LOG.warn(
            "{} was read until offset {}, and isn't read any more: the job reads {}",
            partition.getTopicPartition(),
            partition.getStartingOffset(),
            topics);
        aside.add(split);
      } else {
        selected.add(split);
      }
    }
    if (!selected.isEmpty()) {
      super.addSplits(selected);
    }
  }

  @Override
  public List<S> snapshotState(long checkpointId) {
    List<S> all = new ArrayList<>(super.snapshotState(checkpointId));
    all.addAll(aside);
    return all;
  }
}
