package dev.millrace.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.kafka.KafkaCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourceSettingsTest {

  private static final SourceSettings PLAIN =
      SourceSettings.of(KafkaCluster.at("localhost:9092"), Topics.named(List.of("examples")));

  @Test
  void aGroupNamesTheClientsToo() {
    assertThat(PLAIN.groupOrNull()).isNull();
    assertThat(PLAIN.clientIdPrefix()).isEqualTo("millrace");
    assertThat(PLAIN.inGroup("g").clientIdPrefix()).isEqualTo("g");
    assertThat(PLAIN.inGroup("g").inGroup(null)).isEqualTo(PLAIN);
  }

  @Test
  void eachChangeLeavesTheOthersAsTheyWere() {
    SourceSettings changed =
        PLAIN
            .inGroup("g")
            .startingAt(StartingOffsets.committed())
            .bounded(true)
            .discoveringEvery(Duration.ofSeconds(3))
            .failingOnLostRecords(false)
            .onRecreatedTopic(RecreatedTopic.EARLIEST);

    assertThat(changed)
        .isEqualTo(
            new SourceSettings(
                PLAIN.cluster(),
                PLAIN.topics(),
                StartingOffsets.committed(),
                true,
                Duration.ofSeconds(3),
                "g",
                "g",
                false,
                RecreatedTopic.EARLIEST));
  }

  @Test
  void offsetsAreCommittedToAGroup() {
    assertThatThrownBy(() -> PLAIN.startingAt(StartingOffsets.committed()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
