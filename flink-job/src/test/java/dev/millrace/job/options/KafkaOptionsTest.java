package dev.millrace.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class KafkaOptionsTest {

  private static final Configuration OF_A_GROUP =
      Configuration.fromMap(Map.of("kafka.group.id", "clicks"));

  /** Whoever starts ends what is open under its own name. */
  @Test
  void noTwoJobsOfAGroupShareTheNameOfTransactions() {
    String one = KafkaOptions.transactions(OF_A_GROUP, "-joined");
    String other = KafkaOptions.transactions(OF_A_GROUP, "-joined");

    assertThat(one).startsWith("clicks-joined-").isNotEqualTo(other);
    assertThat(other).doesNotStartWith(one);
  }

  @Test
  void withoutAGroupThereIsNone() {
    assertThat(KafkaOptions.transactions(new Configuration(), "-joined")).isNull();
  }
}
