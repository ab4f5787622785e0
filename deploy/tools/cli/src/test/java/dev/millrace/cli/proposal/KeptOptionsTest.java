package dev.millrace.cli.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class KeptOptionsTest {

  private static final String LOGIN = "module required password=\"geheim\";";

  @Test
  void keepsAllButASecretThatWasAnArgument() {
    KeptOptions kept =
        kept(
            Set.of(),
            Map.of(
                "kafka.bootstrap.servers", "b:1",
                "kafka.security.protocol", "SASL_SSL",
                "kafka.sasl.jaas.config", LOGIN,
                "kafka.ssl.key.password", "${secret:/etc/k:password}",
                "kafka.config.providers", "secret"));

    assertThat(kept.broker("other:1"))
        .containsExactly(
            "kafka.bootstrap.servers: \"b:1\"",
            "kafka.config.providers: \"secret,env\"",
            "kafka.config.providers.env.class:"
                + " org.apache.kafka.common.config.provider.EnvVarConfigProvider",
            "kafka.sasl.jaas.config: \"${env:KAFKA_SASL_JAAS_CONFIG}\"",
            "kafka.security.protocol: SASL_SSL",
            "kafka.ssl.key.password: \"${secret:/etc/k:password}\"");
    assertThat(kept.variables())
        .isEqualTo(Map.of("kafka.sasl.jaas.config", "KAFKA_SASL_JAAS_CONFIG"));
    assertThat(kept.secrets().toMap()).isEqualTo(Map.of("kafka.sasl.jaas.config", LOGIN));
    assertThat(kept.haveSecret()).isFalse();
  }

  @Test
  void keepsWhatWasInAFile() {
    KeptOptions kept =
        kept(Set.of("kafka.sasl.jaas.config"), Map.of("kafka.sasl.jaas.config", LOGIN));

    assertThat(kept.broker("other:1"))
        .contains("kafka.sasl.jaas.config: \"module required password=\\\"geheim\\\";\"");
    assertThat(kept.variables()).isEmpty();
    assertThat(kept.haveSecret()).isTrue();
  }

  @Test
  void keepsARegistrysLoginInItsOwnWay() {
    Map<String, String> given =
        Map.of(
            "input.registry.url", "http://a:1;http://b:2",
            "input.registry.user", "me",
            "input.registry.password", "geheim");
    KeptOptions kept = kept(Set.of(), given);

    assertThat(kept.registry(Configuration.fromMap(given)))
        .containsExactly(
            "registry.password: \"${env:INPUT_REGISTRY_PASSWORD}\"",
            "registry.url: [\"http://a:1\", \"http://b:2\"]",
            "registry.user: me");
    assertThat(kept.broker("other:1")).containsExactly("kafka.bootstrap.servers: \"other:1\"");
  }

  private static KeptOptions kept(Set<String> inFile, Map<String, String> given) {
    return new KeptOptions(Configuration.fromMap(given), inFile);
  }
}
