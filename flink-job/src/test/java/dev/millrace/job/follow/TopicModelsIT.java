package dev.millrace.job.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.testing.TellingModels;
import dev.millrace.job.train.publish.ModelTopicListener;
import dev.millrace.kafka.models.ModelTopic;
import dev.millrace.kafka.models.ModelTopicWriter;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.ModelSigner;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.Rollback;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotFeed;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotWriter;
import dev.millrace.snapshot.TrustedKeys;
import dev.millrace.snapshot.Writers;
import dev.millrace.snapshot.testing.SigningKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that a scorer follows in a topic. */
class TopicModelsIT {

  private final String topic = "models-" + UUID.randomUUID();

  @TempDir private Path directory;

  @Test
  void eachNewModelIsGivenWholeAndOnceAndDamageIsRefused() throws Exception {
    ModelTopic.ensure(Broker.cluster(), topic, Broker.LIMIT);
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

  /** A rollback has no key, and sends what was signed before. */
  @Test
  void aSignatureGoesWithTheModelAlsoWhereAnOlderOneIsSentAgain() throws Exception {
    SigningKeys job = SigningKeys.create(directory, "job");
    ModelTrust trust = new ModelTrust("dl4j", "engine", TrustedKeys.read(List.of(job.publicKey())));
    Path models = Files.createDirectory(directory.resolve("models"));
    SnapshotStore store = SnapshotStore.directory(models);
    SnapshotWriter writer =
        new SnapshotWriter(
            store,
            ModelEngine.named("dl4j"),
            Optional.empty(),
            new Retention(3, 0, 0),
            InstantSource.system(),
            new Writers(List.of("one"), -1),
            Optional.of(ModelSigner.of(job.privateKey())));
    ModelTopic.ensure(Broker.cluster(), topic, Broker.LIMIT);
    ModelTopicListener listener = new ModelTopicListener(Broker.cluster(), topic);
    try (SnapshotFeed feed =
        new TrustedModels(new ModelsOfTopic(Broker.cluster(), topic), trust).open()) {
      SnapshotDescription first =
          writer.write(TellingModels.model(TellingModels.SHAPE, 1), Optional.empty());
      listener.released(first, store);
      assertThat(feed.poll().orElseThrow().description().version()).isEqualTo(first.version());

      listener.released(first.signed(null), store);
      assertThatThrownBy(feed::poll).hasMessageContaining("it isn't signed");

      listener.released(
          writer.write(TellingModels.model(TellingModels.SHAPE, 2), Optional.empty()), store);
      assertThat(feed.poll()).isPresent();
      writer.commit(new ModelVersion(1, 2), 5);

      listener.released(new Rollback(store).to(first.version()), store);
      PublishedSnapshot back = feed.poll().orElseThrow();
      assertThat(back.description().version()).isEqualTo(first.version());
      assertThat(back.held()).isTrue();

      // The job tells its topic, too, which model is served: that one stays held.
      ModelTopicListener ofJob = new ModelTopicListener(Broker.cluster(), topic);
      ofJob.released(first, store);
      ofJob.close();
      assertThat(feed.poll().orElseThrow().held()).isTrue();

      listener.released(new Rollback(store).release(), store);
      assertThat(feed.poll().orElseThrow().held()).isFalse();
    } finally {
      listener.close();
    }
  }
}
