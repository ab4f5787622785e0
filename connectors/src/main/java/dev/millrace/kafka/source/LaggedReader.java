package dev.millrace.kafka.source;

import dev.millrace.example.LabelLags;
import dev.millrace.source.ForwardingReader;
import dev.millrace.source.TaskLink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/** Reads for a {@link LaggedSource}. */
@SuppressWarnings("try") // As the class that it extends.
final class LaggedReader<T> extends ForwardingReader<T, KafkaPartitionSplit> {

  LaggedReader(SourceReader<T, KafkaPartitionSplit> reader) {
    super(reader);
  }

  @Override
  public void addSplits(List<KafkaPartitionSplit> splits) {
    LabelLags lags = lags();
    List<KafkaPartitionSplit> plain = new ArrayList<>();
    try {
      for (KafkaPartitionSplit split : splits) {
        if (split instanceof LaggedSplit lagged) {
          lags.restore(TopicSplit.partition(lagged.split()), lagged.labels());
        }
        plain.add(split instanceof LaggedSplit lagged ? lagged.split() : split);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    super.addSplits(plain);
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    LabelLags lags = lags();
    List<KafkaPartitionSplit> splits = new ArrayList<>();
    try {
      for (KafkaPartitionSplit split : super.snapshotState(checkpointId)) {
        splits.add(new LaggedSplit(split, lags.save(TopicSplit.partition(split))));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return splits;
  }

  private static LabelLags lags() {
    LabelLags lags = TaskLink.ofThisTask().lagsOrNull();
    if (lags == null) {
      throw new IllegalStateException(
          "The operator chained behind the source makes no labels features");
    }
    return lags;
  }
}
