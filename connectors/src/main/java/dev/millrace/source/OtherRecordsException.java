package dev.millrace.source;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Records wait in a checkpoint, and the job has others now. Trying again doesn't mend it, so Flink
 * fails the job at once, whatever its restart strategy.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class OtherRecordsException extends RuntimeException {

  OtherRecordsException(String why) {
    super(
        ("Records wait in the checkpoint, and the job's are of another type now, such as rows with"
                + " other columns, or with a column that can't be NULL any more: %s. Go on with the"
                + " type that they had, and change it after a savepoint in which none wait, as 'flink"
                + " stop --drain' makes it")
            .formatted(why));
  }
}
