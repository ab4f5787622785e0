package dev.millrace.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnHostsTest {

  private final OwnHosts own =
      OwnHosts.of(
          Configuration.fromMap(
              Map.of(
                  "rest.address", "flink.example.org",
                  "jobmanager.rpc.address", "jm-1.example.org",
                  "kubernetes.cluster-id", "fraud",
                  "kubernetes.namespace", "streams",
                  "millrace.rest.hosts", "proxy.example.org;other.example.org")));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "localhost:8081",
        "127.0.0.1:8081",
        "10.1.2.3",
        "[::1]:8081",
        "jobmanager:8081",
        "flink.example.org",
        "FLINK.example.org:8081",
        "jm-1.example.org",
        "proxy.example.org:443",
        "other.example.org",
        "fraud-rest.streams:8081",
        "fraud-rest.streams.svc",
        "fraud-rest.streams.svc.cluster.local"
      })
  void numbersNamesWithoutAPointAndConfiguredNamesAreOwn(String host) {
    assertThat(own.include(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:8081",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "fraud.example.org",
        "other-rest.streams",
        "fraud-rest.elsewhere",
        "fraud-rest.evil.example:8081",
        "fraud-rest.streams.evil.example",
        "127.0.0.1:8081:8082",
        "",
        ":8081",
        "flink.example.org:x"
      })
  void allElseIsForeign(String host) {
    assertThat(own.include(host)).isFalse();
  }
}
