package dev.millrace.job.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.score.setup.ScoringSetup;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.population.PopulationEngine;
import dev.millrace.model.testing.PopulationTestEngine;
import dev.millrace.snapshot.ModelSigner;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.SnapshotFeed;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotWriter;
import dev.millrace.snapshot.UnusableSnapshotException;
import dev.millrace.snapshot.Writers;
import dev.millrace.snapshot.testing.SigningKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What scorers and servers read by their options, and what they refuse unread. */
class TrustedModelsTest {

  @TempDir private Path temporary;

  private Path directory;
  private final Configuration options = new Configuration();

  @BeforeEach
  void name() throws IOException {
    directory = Files.createDirectory(temporary.resolve("models"));
    options.set(ScoringOptions.MODELS, directory.toString());
  }

  @Test
  void dl4jsAloneAreReadUnlessAnotherEngineIsNamed() throws IOException {
    TellingModels.publish(directory, 1);
    assertTaken();

    options.set(ModelOptions.ENGINE, "torch");
    assertRefused(
        "version 1.1", "of the engine dl4j", "only models of torch", "set scoring.engine to dl4j");

    options.set(ScoringOptions.ENGINE, "dl4j");
    assertTaken();
  }

  /** The description alone decides which engine reads an archive. */
  @Test
  void aPublisherDoesNotChooseTheEngine() throws IOException {
    Path described = TellingModels.publish(directory, 1).description();
    Files.writeString(described, Files.readString(described).replace("\"dl4j\"", "\"torch\""));

    assertRefused("of the engine torch", "only models of dl4j", "set scoring.engine to torch");
  }

  @Test
  void aPopulationsMembersAreOfTheEngineToo() throws IOException {
    InitialModel member = ModelEngine.named("dl4j").define(TellingModels.definition());
    write(population(member), PopulationEngine.NAME, Optional.empty());
    assertTaken();

    options.set(ScoringOptions.ENGINE, "torch");
    assertRefused("of the engine dl4j", "only models of torch");
  }

  @Test
  void modelsThatNoTrustedKeySignedAreRefused() throws IOException {
    SigningKeys job = SigningKeys.create(temporary, "job");
    SigningKeys stranger = SigningKeys.create(temporary, "stranger");
    options.set(ScoringOptions.TRUSTED_KEYS, List.of(job.publicKey().toString()));

    write(TellingModels.model(TellingModels.SHAPE, 1), "dl4j", Optional.of(job));
    assertTaken();
    write(TellingModels.model(TellingModels.SHAPE, 2), "dl4j", Optional.of(stranger));
    assertRefused("version 1.2", "none of the 1 trusted keys has signed it");
    TellingModels.publish(directory, 3);
    assertRefused("version 1.3", "it isn't signed");
  }

  @Test
  void keysThatCannotBeReadAreAMistakeInTheOptions() {
    options.set(ScoringOptions.TRUSTED_KEYS, List.of(temporary.resolve("absent").toString()));

    assertThatThrownBy(() -> ScoringSetup.models(options))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("scoring.trusted-keys", "absent");
  }

  private static GlobalModel population(InitialModel member) {
    InitialModel initial = PopulationTestEngine.of(List.of(member, member), 0.1, 0.2);
    GlobalModel like = TellingModels.model(TellingModels.SHAPE, 1);
    return new GlobalModel(
        initial.spec(),
        like.version(),
        1,
        initial.vector(),
        like.statistics(),
        like.ledger(),
        like.prequential(),
        like.lineage());
  }

  private void write(GlobalModel model, String engine, Optional<SigningKeys> keys)
      throws IOException {
    Optional<ModelSigner> signer =
        keys.isEmpty() ? Optional.empty() : Optional.of(ModelSigner.of(keys.get().privateKey()));
    new SnapshotWriter(
            SnapshotStore.directory(directory),
            ModelEngine.named(engine),
            Optional.empty(),
            new Retention(9, 0, 0),
            InstantSource.system(),
            new Writers(List.of("one"), -1),
            signer)
        .write(model, Optional.empty());
  }

  private void assertTaken() throws IOException {
    try (SnapshotFeed feed = ScoringSetup.models(options).open()) {
      assertThat(feed.poll()).isPresent();
    }
  }

  private void assertRefused(String... told) throws IOException {
    try (SnapshotFeed feed = ScoringSetup.models(options).open()) {
      assertThatThrownBy(feed::poll)
          .isInstanceOf(UnusableSnapshotException.class)
          .hasMessageContainingAll(told);
    }
  }
}
