package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.models.StoredModel;
import dev.millrace.job.testing.BadModel;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.ModelEngine;
import dev.millrace.snapshot.ModelSigner;
import dev.millrace.snapshot.Retention;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands on models that others may have published. */
class PublishedModelCommandsTest {

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  private final CommandRun run = new CommandRun();

  @TempDir private Path temporary;

  private Path directory;

  @BeforeEach
  void make() throws IOException {
    directory = Files.createDirectory(temporary.resolve("models"));
  }

  /** A sentence, and no exception's name. */
  @ParameterizedTest
  @EnumSource(names = {"NESTED_TOO_DEEPLY", "GARBAGE", "MORE_THAN_MEMORY"})
  void aBadModelIsToldOfInASentence(BadModel bad) throws IOException {
    bad.publish(directory, 1);
    TellingModels.publish(Files.createDirectory(temporary.resolve("other")), 2);

    assertThat(run.execute("inspect", directory)).isEqualTo(1);
    assertThat(run.execute("diff", directory, temporary.resolve("other"))).isEqualTo(1);
    assertThat(
            run.execute(
                "export",
                "--from",
                directory.resolve("model-1.1.zip"),
                "--to",
                temporary.resolve("t"),
                "--format",
                "safetensors"))
        .isEqualTo(1);

    assertThat(run.err.toString())
        .contains("model-1.1.zip")
        .doesNotContain("Exception", "Error", "\tat ");
  }

  @Test
  void onlyModelsOfATrustedKeyAreReadWhereOneIsGiven() throws IOException {
    SigningKeys job = SigningKeys.create(temporary, "job");
    SigningKeys stranger = SigningKeys.create(temporary, "stranger");
    new SnapshotWriter(
            SnapshotStore.directory(directory),
            ModelEngine.named("dl4j"),
            Optional.empty(),
            new Retention(9, 0, 0),
            InstantSource.system(),
            new Writers(List.of("one"), -1),
            Optional.of(ModelSigner.of(job.privateKey())))
        .write(TellingModels.model(TellingModels.SHAPE, 1), Optional.empty());

    for (Path place : new Path[] {directory, directory.resolve("model-1.1.zip")}) {
      assertThat(run.execute("inspect", place, "--trusted-key", job.publicKey()))
          .as(run.err.toString())
          .isZero();
      CommandRun refused = new CommandRun();
      assertThat(refused.execute("inspect", place, "--trusted-key", stranger.publicKey()))
          .isEqualTo(1);
      assertThat(refused.err.toString())
          .contains("model-1.1.zip isn't read: none of the 1 trusted keys has signed it");
    }
    // Whoever may write there changes nothing of what was checked.
    Path archive = directory.resolve("model-1.1.zip");
    System.setProperty(
        "java.io.tmpdir", Files.createDirectory(temporary.resolve("copies")).toString());
    try (StoredModel checked =
        StoredModel.open(archive.toString(), TrustedKeys.read(List.of(job.publicKey())))) {
      Files.writeString(archive, "code of a stranger");
      assertThat(checked.servable(false, false, (blocks, ofBlocks, bytes) -> {})).isNotNull();
      assertThat(temporary.resolve("copies")).isNotEmptyDirectory();
    }
    assertThat(temporary.resolve("copies")).isEmptyDirectory();
    Files.delete(directory.resolve("model-1.1.json"));
    assertThat(
            run.execute(
                "export",
                "--from",
                directory.resolve("model-1.1.zip"),
                "--to",
                temporary.resolve("t"),
                "--format",
                "safetensors",
                "--trusted-key",
                job.publicKey()))
        .isEqualTo(1);
    assertThat(run.err.toString()).contains("there is no description with a signature beside it");
    assertThat(temporary.resolve("t")).doesNotExist();
  }
}
