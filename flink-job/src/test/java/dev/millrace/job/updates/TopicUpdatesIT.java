package dev.millrace.job.updates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.follow.ModelUpdates;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.kafka.models.UpdateTopic;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.GlobalModel;
import dev.millrace.snapshot.ModelSigner;
import dev.millrace.snapshot.TrustedKeys;
import dev.millrace.snapshot.testing.SigningKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Updates that are read from a topic. */
class TopicUpdatesIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  /** The same chain twice, signed the second time: what was passed over is still the next. */
  @Test
  void anUpdateThatNoTrustedKeyHasSignedIsPassedOver() throws Exception {
    SigningKeys own = SigningKeys.create(directory, "own");
    SigningKeys other = SigningKeys.create(directory, "other");
    GlobalModel whole = TellingModels.model(TellingModels.SHAPE, 1);
    GlobalModel newest = TellingModels.model(TellingModels.SHAPE, 2);
    ModelUpdate update = new UpdateEncoder(whole).encode(newest, Instant.now()).get(0);
    byte[] bytes = update.write();
    String topic = Broker.topic("updates", 1);
    UpdatesOfTopic place =
        new UpdatesOfTopic(Broker.cluster(), topic, TrustedKeys.read(List.of(own.publicKey())));
    ModelUpdates updates = place.open();
    try (UpdateTopic writer = UpdateTopic.open(Broker.cluster(), topic)) {
      updates.follow(
          new ServedModel(
              whole.spec(), whole.version(), Instant.now(), whole.vector(), null, List.of()),
          false);
      String stranger = ModelSigner.of(other.privateKey()).signUpdate(update.version(), bytes);
      for (String signature : List.of("", stranger)) {
        writer.write(1, List.of(new UpdateEnvelope(bytes, signature).write()));
      }
      for (int second = 0; second < 3; second++) {
        assertThat(updates.await(Duration.ofSeconds(1))).isEmpty();
      }

      String signature = ModelSigner.of(own.privateKey()).signUpdate(update.version(), bytes);
      writer.write(1, List.of(new UpdateEnvelope(bytes, signature).write()));
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  updates
                      .await(Duration.ofMillis(100))
                      .filter(model -> model.version().equals(newest.version()))
                      .isPresent());
    } finally {
      updates.close();
    }
  }
}
