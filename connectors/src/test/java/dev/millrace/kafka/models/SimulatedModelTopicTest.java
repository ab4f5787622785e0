package dev.millrace.kafka.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.kafka.KafkaAccessException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/** The real writers, over a topic in memory; {@link ModelTopicIT} has them over a broker. */
class SimulatedModelTopicTest {

  private final SimulatedModelTopic topic = new SimulatedModelTopic(new Sound());
  private boolean broken;
  private int records;

  /** Looks at the topic at each record. */
  private final class Sound implements SimulatedModelTopic.Broker {

    @Override
    public void ask() {
      if (broken) {
        throw new KafkaAccessException("it is broken");
      }
    }

    @Override
    public void wrote(SimulatedModelTopic written) {
      records++;
      try {
        assertThat(written.version().isPresent()).isEqualTo(records > 1);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void eachRecordLeavesAWholeModelWhoeverWrites() throws IOException {
    try (ModelTopicWriter job = topic.open(false)) {
      job.write("0.1", new byte[10]);
      for (int others = 1; others <= 3; others++) {
        for (int i = 0; i < others; i++) {
          try (ModelTopicWriter person = topic.open(true)) {
            person.write("0.%s".formatted(i), new byte[20]);
          }
        }
        String version = "1.%s".formatted(others);
        job.write(version, new byte[30]);
        assertThat(topic.version()).contains(version);
      }
    }
    assertThat(records).isEqualTo(2 * (4 + 6));
  }

  @Test
  void aBrokerThatFailsLeavesTheModelBefore() throws IOException {
    ModelTopicWriter job = topic.open(false);
    job.write("0.1", new byte[10]);
    broken = true;

    assertThatThrownBy(() -> job.write("0.2", new byte[10]))
        .isInstanceOf(KafkaAccessException.class);
    assertThat(topic.version()).contains("0.1");
  }
}
