package dev.millrace.kafka;

import dev.millrace.model.io.Reason;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/** Puts failures of Kafka's clients into messages that say what to do. */
public final class KafkaFailure {

  private KafkaFailure() {}

  /**
   * Says what went wrong and what to do.
   *
   * @param action what was asked for, to complete "not allowed to …"
   * @param limit how long it was waited for
   */
  public static KafkaAccessException explain(
      KafkaCluster cluster, String action, Duration limit, Throwable cause) {
    String where = cluster.bootstrapServers();
    String prefix = cluster.prefix();
    String message;
    if (cause instanceof SslAuthenticationException) {
      message =
          "No TLS connection to the Kafka broker at %s: %s. Check %ssecurity.protocol and %sssl.*"
              .formatted(where, rootMessage(cause), prefix, prefix);
    } else if (cause instanceof AuthenticationException) {
      message =
          "The Kafka broker at %s refuses the login: %s. Check %ssecurity.protocol and %ssasl.*"
              .formatted(where, rootMessage(cause), prefix, prefix);
    } else if (cause instanceof AuthorizationException) {
      message =
          "The Kafka broker at %s doesn't allow this user to %s: %s. Have the right granted"
              .formatted(where, action, rootMessage(cause));
    } else if (cause instanceof TimeoutException
        || cause instanceof org.apache.kafka.common.errors.TimeoutException) {
      message =
          ("The Kafka broker at %s takes connections, but did not %s within %s s. Check that"
                  + " %ssecurity.protocol is the one of that port, and that the addresses in the"
                  + " broker's advertised.listeners can be reached from here")
              .formatted(where, action, limit.toSeconds(), prefix);
    } else {
      message = "The Kafka broker at %s can't %s: %s".formatted(where, action, rootMessage(cause));
    }
    return new KafkaAccessException(message, cause);
  }

  public static String rootMessage(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return Reason.of(root);
  }
}
