package dev.millrace.kafka.source;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;

/**
 * Records were deleted before they were read. Trying again doesn't bring them back, so Flink fails
 * the job at once, whatever its restart strategy.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class LostRecordsException extends RuntimeException {

  LostRecordsException(OffsetOutOfRangeException gone) {
    super(
        ("Records that were to be read next aren't there any more (partitions and offsets: %s):"
                + " the topic's retention deleted them, or the topic was created again. Have the"
                + " input start at the earliest that is left where offsets are missing, and keep"
                + " records for longer than the job may fall behind")
            .formatted(gone.offsetOutOfRangePartitions()),
        gone);
  }
}
