package dev.millrace.kafka;

/** Nobody listens at any of a Kafka cluster's addresses, so nothing is known of its topics. */
public final class BrokerUnreachableException extends KafkaAccessException {

  BrokerUnreachableException(String message) {
    super(message);
  }
}
