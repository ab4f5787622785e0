package dev.millrace.exchange.flink;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * The job can't run as it was submitted, however often it is tried: Flink fails it at once,
 * whatever its restart strategy. The message says what is wrong, and what to do.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class NonRecoverableException extends RuntimeException {

  /**
   * @param cause says it; its message is this one's
   */
  public NonRecoverableException(RuntimeException cause) {
    super(cause.getMessage(), cause);
  }
}
