package dev.millrace.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KafkaFailureTest {

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(
            new SaslAuthenticationException("invalid credentials"),
            "The Kafka broker at h:1 refuses the login: invalid credentials."
                + " Check kafka.security.protocol and kafka.sasl.*"),
        Arguments.of(
            new SslAuthenticationException("handshake failed", new Exception("PKIX")),
            "No TLS connection to the Kafka broker at h:1: PKIX."
                + " Check kafka.security.protocol and kafka.ssl.*"),
        Arguments.of(
            new TopicAuthorizationException("not authorized for [t]"),
            "The Kafka broker at h:1 doesn't allow this user to read t: not authorized for [t]."
                + " Have the right granted"),
        Arguments.of(
            new TimeoutException("timed out"),
            "The Kafka broker at h:1 takes connections, but did not read t within 5 s. Check that"
                + " kafka.security.protocol is the one of that port, and that the addresses in the"
                + " broker's advertised.listeners can be reached from here"),
        Arguments.of(
            new UnsupportedVersionException("too old"),
            "The Kafka broker at h:1 can't read t: too old"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void saysWhatToDo(Exception cause, String message) {
    KafkaCluster cluster = new KafkaCluster("h:1", Map.of(), "kafka.");
    KafkaAccessException explained =
        KafkaFailure.explain(cluster, "read t", Duration.ofSeconds(5), cause);

    assertThat(explained).hasMessage(message).hasCause(cause);
  }
}
