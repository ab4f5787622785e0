package dev.millrace.sql.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaPropertiesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kafka.bootstrap.servers is missing | properties.bootstrap.servers is missing",
        "check kafka.security.protocol and kafka.sasl.* | check properties.security.protocol and properties.sasl.*",
        "dev.millrace.kafka.KafkaCluster | dev.millrace.kafka.KafkaCluster",
        "a broker of kafka. It | a broker of kafka. It",
      })
  void messagesHaveTheNamesOfSql(String message, String inSql) {
    assertThat(KafkaProperties.inSql(message)).isEqualTo(inSql);
  }
}
