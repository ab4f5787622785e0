package dev.millrace.job.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.Rollback;
import dev.millrace.snapshot.SnapshotFeed;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.testing.InterruptedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directory stands for one on another machine: it is only read as a store. */
class RemoteModelsTest {

  @TempDir private Path directory;

  @Test
  void eachNewModelIsCopiedWholeAndTheOneBeforeDeleted() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    try (SnapshotFeed feed = new MirroredFeed(new RemoteModels(store, Pointer.LATEST))) {
      assertThat(feed.poll()).isEmpty();
      TellingModels.publish(directory, 1);
      Path first = feed.poll().orElseThrow().archive();
      assertThat(first).hasSameBinaryContentAs(directory.resolve("model-1.1.zip"));
      assertThat(feed.poll()).isEmpty();

      TellingModels.publish(directory, 2);
      PublishedSnapshot second = feed.poll().orElseThrow();
      assertThat(second.description().version()).isEqualTo(new ModelVersion(1, 2));
      assertThat(first).doesNotExist();

      byte[] newest = Files.readAllBytes(directory.resolve(Pointer.LATEST));
      new Rollback(store).to(new ModelVersion(1, 1));
      Files.write(directory.resolve(Pointer.LATEST), newest);
      assertThat(feed.poll().orElseThrow().description().version())
          .isEqualTo(new ModelVersion(1, 1));
    }
  }

  @Test
  void aModelThatIsMissingIsTriedAgain() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    Path archive = TellingModels.publish(directory, 1).archive();
    byte[] content = Files.readAllBytes(archive);
    Files.delete(archive);
    try (SnapshotFeed feed = new MirroredFeed(new RemoteModels(store, Pointer.LATEST))) {
      assertThatThrownBy(feed::poll)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("model-1.1.zip");
      Files.write(archive, content);
      assertThat(feed.poll()).isPresent();
    }
  }

  /** A writer that keeps few models does so. */
  @Test
  void theNextIsCopiedWhereOneIsDeletedWhileItIsCopied() throws IOException {
    boolean isPending = false;
    for (int step = 0; !isPending; step++) {
      Path place = Files.createDirectory(directory.resolve("step-" + step));
      TellingModels.Snapshot first = TellingModels.publish(place, 1);
      InterruptedStore store =
          new InterruptedStore(
              SnapshotStore.directory(place),
              step,
              () -> {
                TellingModels.publish(place, 2);
                Files.delete(first.description());
                Files.delete(first.archive());
              });
      try (SnapshotFeed feed = new MirroredFeed(new RemoteModels(store, Pointer.LATEST))) {
        ModelVersion version = feed.poll().orElseThrow().description().version();
        isPending = store.isPending();
        assertThat(version).as("step %s", step).isEqualTo(new ModelVersion(1, isPending ? 1 : 2));
      }
    }
  }

  @Test
  void nothingIsLeftWhenTheFeedIsClosed() throws IOException {
    TellingModels.publish(directory, 1);
    Set<Path> before = mirrors();
    SnapshotFeed feed =
        new MirroredFeed(new RemoteModels(SnapshotStore.directory(directory), Pointer.LATEST));
    Path archive = feed.poll().orElseThrow().archive();
    assertThat(mirrors()).hasSizeGreaterThan(before.size());

    feed.close();

    assertThat(archive).doesNotExist();
    assertThat(mirrors()).isEqualTo(before);
  }

  private static Set<Path> mirrors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(path -> path.getFileName().toString().startsWith("millrace-models-"))
          .collect(Collectors.toSet());
    }
  }
}
