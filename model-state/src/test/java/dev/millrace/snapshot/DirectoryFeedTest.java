package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryFeedTest {

  @TempDir private Path directory;

  private ZipSnapshots snapshots;

  @BeforeEach
  void open() {
    snapshots = new ZipSnapshots(directory);
  }

  @AfterEach
  void close() throws IOException {
    snapshots.close();
  }

  @Test
  void givesEachSnapshotOnceAndTheNewestOnly() throws IOException {
    SnapshotFeed feed = snapshots.feed();
    assertThat(feed.poll()).isEmpty();

    snapshots.publish(0, 1);
    snapshots.publish(0, 2);

    PublishedSnapshot given = feed.poll().orElseThrow();
    assertThat(given.description().version()).hasToString("0.2");
    assertThat(given.origin()).isEqualTo(directory.resolve("model-0.2.zip").toString());
    assertThat(given.archive()).hasSameBinaryContentAs(directory.resolve("model-0.2.zip"));
    assertThat(feed.poll()).isEmpty();
  }

  @Test
  void whatWasGivenStaysUntilTheNextLook() throws IOException {
    SnapshotFeed feed = snapshots.feed();
    snapshots.publish(0, 1);
    Path first = feed.poll().orElseThrow().archive();
    Files.delete(directory.resolve("model-0.1.zip"));
    assertThat(first).exists();

    snapshots.publish(0, 2);
    Path second = feed.poll().orElseThrow().archive();
    assertThat(first).doesNotExist();
    assertThat(second).exists();

    feed.close();
    assertThat(second).doesNotExist();
  }

  @Test
  void followsAPointerThatGoesBack() throws IOException {
    SnapshotFeed feed = snapshots.feed();
    snapshots.publish(0, 1);
    byte[] older = Files.readAllBytes(latest());
    snapshots.publish(0, 2);
    feed.poll();

    Files.write(latest(), older);

    assertThat(feed.poll().orElseThrow().description().version()).hasToString("0.1");
  }

  @Test
  void whatIsHeldGoesBeforeThePointer() throws IOException {
    SnapshotFeed feed = snapshots.feed();
    snapshots.publish(0, 1);
    snapshots.publish(0, 2);
    byte[] newest = Files.readAllBytes(latest());
    new Rollback(SnapshotStore.directory(directory)).to(new ModelVersion(0, 1));
    Files.write(latest(), newest);

    assertThat(feed.poll().orElseThrow().description().version()).hasToString("0.1");
  }

  @Test
  void takesTheSameVersionOfAnotherRunForAnotherSnapshot() throws IOException {
    SnapshotFeed feed = snapshots.feed();
    snapshots.publish(0, 1);
    feed.poll();
    for (String file : List.of("model-0.1.zip", "model-0.1.json", Pointer.LATEST)) {
      Files.delete(directory.resolve(file));
    }

    snapshots.publish(0, 1, new byte[17]);

    assertThat(feed.poll()).isPresent();
  }

  @Test
  void aDescriptionThatIsRewrittenIsNoNews() throws IOException {
    SnapshotFeed feed = snapshots.feed();
    snapshots.publish(0, 1);
    feed.poll();
    Path description = directory.resolve("model-0.1.json");

    Files.writeString(description, Files.readString(description) + "\n");

    assertThat(feed.poll()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "null", "{}", "{\"version\":\"0.1\"}", "\u0000\u0001"})
  void aPointerThatCannotBeReadSaysNothingOfSnapshots(String content) throws IOException {
    Files.writeString(latest(), content);

    assertThatThrownBy(() -> snapshots.feed().poll())
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(UnusableSnapshotException.class)
        .hasMessageContaining("latest.json can't be read: ");
  }

  /** The writer keeps one snapshot only, and deletes it under the reader. */
  @Test
  void whileASnapshotIsPublishedTheOldOrTheNewOneIsGiven() throws Exception {
    int rounds = 150;
    byte[] content = new byte[10_000];
    new Random(1).nextBytes(content);
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              try {
                SnapshotWriter writer = snapshots.writer(content, 1);
                for (int round = 1; round <= rounds; round++) {
                  writer.write(TestModels.model(0, round), Optional.empty());
                  writer.sweep();
                }
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    SnapshotFeed feed = snapshots.feed();
    long newest = 0;
    while (newest < rounds) {
      boolean last = writing.isDone();
      Optional<PublishedSnapshot> given = poll(feed, last);
      if (given.isPresent()) {
        long round = given.get().description().version().round();
        assertThat(round).isGreaterThan(newest);
        newest = round;
      }
      assertThat(last && newest < rounds).isFalse();
    }
    writing.join();
  }

  /** A reader that is three snapshots behind may give up, and find the next one. */
  private static Optional<PublishedSnapshot> poll(SnapshotFeed feed, boolean last)
      throws IOException {
    try {
      return feed.poll();
    } catch (UnusableSnapshotException e) {
      assertThat(last).isFalse();
      assertThat(e).hasMessageContaining("there is no file");
      return Optional.empty();
    }
  }

  private Path latest() {
    return directory.resolve(Pointer.LATEST);
  }
}
