package dev.millrace.kafka;

import dev.millrace.source.ForwardingReader;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;

/**
 * A reader of the connector's that can be told to fail for good where records were deleted by
 * retention before it came to them.
 */
@SuppressWarnings("try") // As the class that it extends.
final class LossReader<T> extends ForwardingReader<T, KafkaPartitionSplit> {

  private final boolean fails;

  LossReader(SourceReader<T, KafkaPartitionSplit> reader, boolean fails) {
    super(reader);
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
                + " they were deleted by the topic's retention, or the topic was made anew. Go on"
                + " at the earliest that is left with input.on-missing-offsets: earliest, and keep"
                + " records for longer than the job may fall behind")
            .formatted(gone.offsetOutOfRangePartitions()),
        gone);
  }
}
