package dev.millrace.job.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.testing.TestModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotWriter;
import dev.millrace.snapshot.Writers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocatedModelTest {

  private static final ExampleShape SHAPE = new ExampleShape(2, 3, Target.CLASSIFICATION);

  @TempDir Path directory;

  @Test
  void aDirectoryStandsForItsLatestSnapshot() throws IOException {
    publish();

    LocatedModel model = LocatedModel.find("--model", directory.toString());

    assertThat(model.archive()).hasFileName("model-2.300.zip").exists();
    assertThat(model.description().orElseThrow().version()).isEqualTo(new ModelVersion(2, 300));
  }

  @Test
  void aPublishedArchiveHasItsDescriptionWithIt() throws IOException {
    publish();

    LocatedModel model =
        LocatedModel.find("--model", directory.resolve("model-2.300.zip").toString());

    assertThat(model.description().orElseThrow().shape()).isEqualTo(SHAPE);
  }

  @Test
  void anArchiveNeedsNoDescription() throws IOException {
    Path archive =
        TestModels.write(TestModels.random("linear", SHAPE), directory.resolve("mine.zip"));
    Files.writeString(directory.resolve("mine.json"), "{\"somebody\": \"else's\"}");

    assertThat(LocatedModel.find("--model", archive.toString()).description()).isEmpty();
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThatThrownBy(() -> LocatedModel.find("--model", directory + "/absent.zip"))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("--model", "absent.zip", "there is no such file or directory");
    assertThatThrownBy(() -> LocatedModel.find("--model", directory.toString()))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll(directory.toString(), "no latest.json");
  }

  @Test
  void aDamagedPointerIsNamed() throws IOException {
    Files.writeString(directory.resolve("latest.json"), "{");

    assertThatThrownBy(() -> LocatedModel.find("--model", directory.toString()))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("The latest snapshot of " + directory + " can't be read");
  }

  @Test
  void aDirectoryWithoutTheRightToReadIsNamed() throws IOException {
    Path closed =
        Files.createDirectory(
            directory.resolve("closed"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("---------")));
    assumeFalse(Files.isReadable(closed), "root may read everything");

    assertThatThrownBy(() -> LocatedModel.find("--model", closed.toString()))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll(closed.toString(), "can't be read");
  }

  private void publish() throws IOException {
    InitialModel model = TestModels.random("linear", SHAPE);
    GlobalModel global =
        new GlobalModel(
            model.spec(),
            new ModelVersion(2, 300),
            0,
            model.vector(),
            new FeatureStatistics(0),
            new Ledger(),
            Measures.NONE,
            Lineage.NONE);
    new SnapshotWriter(
            SnapshotStore.directory(directory),
            ModelEngine.named("dl4j"),
            Optional.empty(),
            new Retention(1, 0, 0),
            InstantSource.system(),
            new Writers(List.of("one"), -1),
            Optional.empty())
        .write(global, Optional.empty());
  }
}
