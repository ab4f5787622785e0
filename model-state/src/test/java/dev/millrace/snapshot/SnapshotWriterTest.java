package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotWriterTest {

  private static final long NEVER = -1;
  private static final Instant NOW = Instant.parse("2026-11-21T10:15:30Z");

  @TempDir private Path directory;

  @Test
  void writesArchiveDescriptionAndPointer() throws IOException {
    Snapshot snapshot = writer(3, NEVER).write(TestModels.model(2, 15), Optional.empty());

    assertThat(snapshot.archive()).isEqualTo(directory.resolve("model-2.15.zip"));
    assertThat(Files.readString(snapshot.archive())).isEqualTo("2.15");
    SnapshotDescription description =
        SnapshotDescription.fromJson(Files.readString(snapshot.description()));
    assertThat(description.version()).isEqualTo(snapshot.version());
    assertThat(description.created()).isEqualTo(NOW);
    assertThat(description.configuration()).containsExactly(Map.entry("codec", "float32"));
    JsonNode latest =
        SnapshotDescription.MAPPER.readTree(directory.resolve("latest.json").toFile());
    assertThat(latest.path("version").asText()).isEqualTo("2.15");
    assertThat(latest.path("archive").asText()).isEqualTo("model-2.15.zip");
    assertThat(latest.path("description").asText()).isEqualTo("model-2.15.json");
    assertThat(files()).hasSize(3);
  }

  @Test
  void theArchiveComesFirstAndThePointerLast() throws IOException {
    List<String> order = new ArrayList<>();
    SnapshotStore real = SnapshotStore.directory(directory);
    SnapshotStore recording =
        new SnapshotStore() {
          @Override
          public void put(String name, Content content) throws IOException {
            order.add("put " + name);
            real.put(name, content);
          }

          @Override
          public List<String> names() throws IOException {
            return real.names();
          }

          @Override
          public void delete(String name) throws IOException {
            order.add("delete " + name);
            real.delete(name);
          }

          @Override
          public Path locate(String name) {
            return real.locate(name);
          }
        };
    SnapshotWriter writer = writer(recording, 1, NEVER);
    writer.write(TestModels.model(0, 1), Optional.empty());
    writer.write(TestModels.model(0, 2), Optional.empty());

    assertThat(order)
        .containsExactly(
            "put model-0.1.zip",
            "put model-0.1.json",
            "put latest.json",
            "put model-0.2.zip",
            "put model-0.2.json",
            "put latest.json",
            "delete model-0.1.json",
            "delete model-0.1.zip");
  }

  @Test
  void keepsTheNewestAndNothingThatIsntASnapshotIsTouched() throws IOException {
    Files.writeString(directory.resolve("model-notes.zip"), "mine");
    SnapshotWriter writer = writer(2, NEVER);
    for (int round = 1; round <= 12; round++) {
      writer.write(TestModels.model(0, round), Optional.empty());
      age(round);
    }

    assertThat(files())
        .containsExactlyInAnyOrder(
            "model-notes.zip",
            "latest.json",
            "model-0.11.zip",
            "model-0.11.json",
            "model-0.12.zip",
            "model-0.12.json");
  }

  @Test
  void aJobThatStartsAnewReplacesTheOldestFirst() throws IOException {
    SnapshotWriter writer = writer(2, NEVER);
    writer.write(TestModels.model(5, 100), Optional.empty());
    age(1);
    writer.write(TestModels.model(5, 200), Optional.empty());
    age(2);

    writer(2, NEVER).write(TestModels.model(0, 1), Optional.empty());

    assertThat(files())
        .containsExactlyInAnyOrder(
            "latest.json",
            "model-5.200.zip",
            "model-5.200.json",
            "model-0.1.zip",
            "model-0.1.json");
  }

  @Test
  void aFailureLeavesWhatWasThereAndNothingElse() throws IOException {
    SnapshotWriter writer = writer(1, 2);
    writer.write(TestModels.model(0, 1), Optional.empty());
    String latest = Files.readString(directory.resolve("latest.json"));

    assertThatThrownBy(() -> writer.write(TestModels.model(0, 2), Optional.empty()))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            directory.resolve("model-0.2.zip").toString(), "No space left on device");

    assertThat(files()).containsExactlyInAnyOrder("latest.json", "model-0.1.zip", "model-0.1.json");
    assertThat(Files.readString(directory.resolve("latest.json"))).isEqualTo(latest);
  }

  @Test
  void whatACrashedWriterLeftIsDeleted() throws IOException {
    Files.writeString(directory.resolve(".unfinished-model-0.9.zip"), "half");
    Files.writeString(directory.resolve("model-0.9.zip"), "whole, but without description");

    writer(1, NEVER).write(TestModels.model(1, 10), Optional.empty());

    assertThat(files())
        .containsExactlyInAnyOrder("latest.json", "model-1.10.zip", "model-1.10.json");
  }

  @Test
  void aPlaceThatIsNoDirectoryIsNamed() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThatThrownBy(() -> SnapshotStore.directory(file))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(file.toString(), "FileAlreadyExistsException")
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void atLeastOneIsKept() {
    assertThatIllegalArgumentException().isThrownBy(() -> writer(0, NEVER));
  }

  private SnapshotWriter writer(int keep, long failingRound) throws IOException {
    return writer(SnapshotStore.directory(directory), keep, failingRound);
  }

  private static SnapshotWriter writer(SnapshotStore store, int keep, long failingRound) {
    return new SnapshotWriter(
        store, TestModels.engine(failingRound), Map.of("codec", "float32"), keep, () -> NOW);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  /** Dates what was written since the last call long ago, and {@code second} after the others. */
  private void age(int second) throws IOException {
    Instant longAgo = Instant.EPOCH.plus(Duration.ofDays(1));
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (Files.getLastModifiedTime(file).toInstant().isAfter(longAgo)) {
          Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(second)));
        }
      }
    }
  }
}
