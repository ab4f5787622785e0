package dev.millrace.kafka;

import java.util.Map;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Records were deleted before they were read. Trying again doesn't bring them back, so Flink fails
 * the job at once, whatever its restart strategy.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class LostRecordsException extends RuntimeException {

  private final transient Map<TopicPartition, Long> offsets;

  LostRecordsException(String message, OffsetOutOfRangeException cause) {
    super(message, cause);
    this.offsets = cause.offsetOutOfRangePartitions();
  }

  /** Which records were to be read next. */
  Map<TopicPartition, Long> offsets() {
    return offsets;
  }
}
