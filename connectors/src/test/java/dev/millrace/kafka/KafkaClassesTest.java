package dev.millrace.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaClassesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\";",
        "org.apache.flink.kafka.shaded.org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\";",
      })
  void classesAreFoundUnderTheNamesThatUsersKnow(String value) {
    KafkaCluster cluster = new KafkaCluster("b:9092", Map.of("sasl.jaas.config", value));

    assertThat(cluster.properties().get("sasl.jaas.config"))
        .isEqualTo(
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\";");
  }

  /** As in the jar for Flink SQL. */
  @ParameterizedTest
  @CsvSource({
    "org.apache.kafka.A, x.org.apache.kafka.A",
    "org.apache.flink.kafka.shaded.org.apache.kafka.A, x.org.apache.kafka.A",
    "x.org.apache.kafka.A, x.org.apache.kafka.A",
    "'org.apache.kafka.A,org.apache.kafka.B', 'x.org.apache.kafka.A,x.org.apache.kafka.B'",
    "com.example.A, com.example.A",
    "org-apache-kafka-A, org-apache-kafka-A",
  })
  void relocatedClassesHaveTheirNewNames(String value, String relocated) {
    assertThat(KafkaClasses.found(value, "x.org.apache.kafka.")).isEqualTo(relocated);
  }
}
