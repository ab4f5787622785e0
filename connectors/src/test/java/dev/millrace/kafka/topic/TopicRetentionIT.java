package dev.millrace.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.kafka.testing.Broker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicRetentionIT {

  @Test
  void topicsThatLoseRecordsAreNamedWithTheSetting() throws Exception {
    String kept = Broker.topic(1);
    String timed = Broker.topic(1);
    String small = Broker.topic(1);
    String compacted = Broker.topic(1);
    Broker.configure(kept, Map.of("retention.ms", "-1"));
    Broker.configure(timed, Map.of("retention.ms", "60000"));
    Broker.configure(small, Map.of("retention.ms", "-1", "retention.bytes", "1000"));
    Broker.compact(compacted);

    assertThat(
            TopicRetention.ofThoseThatForget(
                SourceSettings.of(
                    Broker.cluster(), Topics.named(List.of(kept, timed, small, compacted))),
                Duration.ofSeconds(10)))
        .containsOnly(
            Map.entry(timed, "retention.ms=60000"),
            Map.entry(small, "retention.bytes=1000"),
            Map.entry(compacted, "cleanup.policy=compact"));
  }
}
