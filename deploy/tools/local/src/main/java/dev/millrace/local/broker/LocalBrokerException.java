package dev.millrace.local.broker;

/** A local broker could not be started; the message says why and shows the end of its log. */
public final class LocalBrokerException extends RuntimeException {

  LocalBrokerException(String message) {
    super(message);
  }

  LocalBrokerException(String message, Throwable cause) {
    super(message, cause);
  }
}
