package dev.millrace.dl4j;

import org.apache.flink.annotation.PublicEvolving;

/** Training has failed for good: what failed is the cause. The network is as it was before. */
@PublicEvolving
public final class TrainingFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  TrainingFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
