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
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** As a writer does that keeps few models. */
  @ParameterizedTest
  @ValueSource(strings = {"model-1.1.zip", "model-1.1.json"})
  void theNextIsCopiedWhereOneIsDeletedWhileItIsCopied(String read) throws IOException {
    TellingModels.Snapshot first = TellingModels.publish(directory, 1);
    SnapshotStore store =
        new SlowStore(
            SnapshotStore.directory(directory),
            name -> {
              if (name.equals(read)) {
                TellingModels.publish(directory, 2);
                Files.delete(first.description());
                Files.delete(first.archive());
              }
            });
    try (SnapshotFeed feed = new MirroredFeed(new RemoteModels(store, Pointer.LATEST))) {
      assertThat(feed.poll().orElseThrow().description().version())
          .isEqualTo(new ModelVersion(1, 2));
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

  /** A store in which something else happens before each file is read. */
  private record SlowStore(SnapshotStore real, Event event) implements SnapshotStore {

    private interface Event {
      void before(String name) throws IOException;
    }

    @Override
    public InputStream read(String name) throws IOException {
      event.before(name);
      return real.read(name);
    }

    @Override
    public void put(String name, Content content) throws IOException {
      real.put(name, content);
    }

    @Override
    public List<String> names() throws IOException {
      return real.names();
    }

    @Override
    public void delete(String name) throws IOException {
      real.delete(name);
    }

    @Override
    public String locate(String name) {
      return real.locate(name);
    }

    @Override
    public void clean() throws IOException {
      real.clean();
    }
  }
}
