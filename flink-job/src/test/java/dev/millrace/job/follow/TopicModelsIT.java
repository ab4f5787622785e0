package dev.millrace.job.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.testing.TellingModels;
import dev.millrace.kafka.ModelTopic;
import dev.millrace.kafka.ModelTopicWriter;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that a scorer follows in a topic. */
class TopicModelsIT {

  private final String topic = "models-" + UUID.randomUUID();

  @TempDir private Path directory;

  @Test
  void eachNewModelIsGivenWholeAndOnceAndDamageIsRefused() throws Exception {
    ModelTopic.ensure(Broker.cluster(), topic, Duration.ofSeconds(10));
    try (ModelTopicWriter writer = ModelTopicWriter.open(Broker.cluster(), topic);
        SnapshotFeed feed = new ModelsOfTopic(Broker.cluster(), topic).open()) {
      assertThat(feed.poll()).isEmpty();

      Path first = TellingModels.publish(directory, 1).archive();
      writer.write("1.1", Files.readAllBytes(first));
      PublishedSnapshot given = feed.poll().orElseThrow();
      assertThat(given.description().version()).isEqualTo(new ModelVersion(1, 1));
      assertThat(given.archive()).hasSameBinaryContentAs(first);
      assertThat(feed.poll()).isEmpty();

      writer.write("1.2", new byte[] {1, 2, 3});
      assertThatThrownBy(feed::poll).isInstanceOf(IOException.class);

      writer.write("1.3", Files.readAllBytes(TellingModels.publish(directory, 3).archive()));
      assertThat(feed.poll().orElseThrow().description().version())
          .isEqualTo(new ModelVersion(1, 3));
    }
  }
}
