package dev.millrace.kafka.source;

import dev.millrace.source.ForwardingSource;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Has the labels of a partition's last records in checkpoints beside its offset, so that whoever
 * reads the partition next has both. The labels themselves are kept by the operator that is chained
 * behind the source.
 */
final class LaggedSource<T, E> extends ForwardingSource<T, KafkaPartitionSplit, E> {

  LaggedSource(Source<T, KafkaPartitionSplit, E> source, TypeInformation<T> type) {
    super(source, type);
  }

  @Override
  public SourceReader<T, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    return new LaggedReader<>(super.createReader(context));
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return new LaggedSplitSerializer(super.getSplitSerializer());
  }
}
