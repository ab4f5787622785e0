package dev.millrace.kafka;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Records were deleted before they were read. Trying again doesn't bring them back, so Flink fails
 * the job at once, whatever its restart strategy.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class LostRecordsException extends RuntimeException {

  LostRecordsException(String message, Throwable cause) {
    super(message, cause);
  }
}
