package dev.millrace.kafka;

/**
 * A Kafka cluster, a topic, or what its records need can't be used as configured. The message
 * stands alone: what, where, which value, and what to do.
 */
public class KafkaAccessException extends RuntimeException {

  public KafkaAccessException(String message) {
    super(message);
  }

  public KafkaAccessException(String message, Throwable cause) {
    super(message, cause);
  }
}
