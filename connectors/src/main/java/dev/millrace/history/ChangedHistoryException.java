package dev.millrace.history;

import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A file isn't the one that was found. Trying again doesn't mend it, so Flink fails the job at
 * once, whatever its restart strategy.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class ChangedHistoryException extends RuntimeException {

  ChangedHistoryException(Path file, long found, long now) {
    super(
        ("%s had %s bytes when the job found it, and has %s now, so nobody knows which of its"
                + " records were learned. Put back what was there; or start without a savepoint")
            .formatted(file, found, now));
  }
}
