package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.RegistryServer;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On two published models that checkpoints cover, 1.1 and 1.2, and 1.3 that none does yet. */
class RollbackCommandTest {

  private final CommandRun run = new CommandRun();
  private final StringWriter out = run.out;
  private final StringWriter err = run.err;

  @TempDir private Path directory;

  private SnapshotStore store;

  @BeforeEach
  void publish() throws IOException {
    store = SnapshotStore.directory(directory);
    SnapshotWriter writer =
        new SnapshotWriter(
            store,
            ModelEngine.named("dl4j"),
            Optional.empty(),
            new Retention(9, 0, 0),
            InstantSource.system());
    for (long round = 1; round <= 3; round++) {
      GlobalModel model = TellingModels.model(TellingModels.SHAPE, round);
      writer.write(model, Optional.empty());
      if (round < 3) {
        writer.commit(model.version(), round);
      }
    }
  }

  @Test
  void bothPointersNameTheModelAndAfterwardsTheNewestAgain() throws IOException {
    assertThat(execute("1.1", "--snapshot.directory", directory)).isZero();

    assertThat(out.toString()).contains("Model 1.1 of ", directory.toString(), "until --release");
    assertThat(pointer(Pointer.LATEST)).isEqualTo("1.1");
    assertThat(pointer(Pointer.COMMITTED)).isEqualTo("1.1");

    assertThat(execute("--release", "--snapshot.directory", directory)).isZero();

    assertThat(pointer(Pointer.LATEST)).isEqualTo("1.3");
    assertThat(pointer(Pointer.COMMITTED)).isEqualTo("1.2");
  }

  @Test
  void theAliasOfTheRegistryNamesTheCommittedModel() throws IOException {
    try (RegistryServer registry = RegistryServer.start()) {
      registry.add("", "8", "1.2", "more");
      registry.add("more", "7", "1.1", "");

      assertThat(execute(registry, "1.1")).as(err.toString()).isZero();
      assertThat(alias(registry)).isEqualTo("7");

      assertThat(execute(registry, "--release")).as(err.toString()).isZero();
      assertThat(alias(registry)).as("of 1.2, since 1.3 isn't committed").isEqualTo("8");
    }
  }

  @Test
  void aRegistryThatIsDownIsToldBesideWhatWasDone() throws IOException {
    RegistryServer registry = RegistryServer.start();
    registry.close();

    assertThat(execute(registry, "1.1")).isEqualTo(1);

    assertThat(out.toString()).contains("Model 1.1 of ");
    assertThat(err.toString()).contains(registry.url()).doesNotContain("\tat ");
    assertThat(pointer(Pointer.LATEST)).isEqualTo("1.1");
  }

  @Test
  void nothingIsDoneWithWrongOptions() throws IOException {
    assertThat(execute("1.1", "--snapshot.directory", directory, "--mlflow.ur", "http://r"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("mlflow.ur is not an option", "mlflow.url");
    assertThat(execute("1.1", "--snapshot.directory", directory, "--mlflow.url", "http://r"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("mlflow.model is missing");
    assertThat(execute("1.1")).isEqualTo(2);
    assertThat(err.toString()).contains("snapshot.directory is missing");
    assertThat(execute("--snapshot.directory", directory)).isEqualTo(2);
    assertThat(execute("first", "--snapshot.directory", directory)).isEqualTo(2);
    assertThat(err.toString()).contains("first");

    assertThat(pointer(Pointer.LATEST)).isEqualTo("1.3");
  }

  private static String alias(RegistryServer registry) {
    RegistryServer.Call last = registry.calls().get(registry.calls().size() - 1);
    assertThat(last.path()).isEqualTo("registered-models/alias");
    return last.body().path("version").asText();
  }

  private String pointer(String name) throws IOException {
    return new SnapshotCatalog(store).pointer(name).orElseThrow().version();
  }

  private int execute(RegistryServer registry, String which) {
    return execute(
        which,
        "--snapshot.directory",
        directory,
        "--mlflow.url",
        registry.url(),
        "--mlflow.model",
        "digits");
  }

  private int execute(Object... arguments) {
    return run.execute(Stream.concat(Stream.of("rollback"), Arrays.stream(arguments)).toArray());
  }
}
