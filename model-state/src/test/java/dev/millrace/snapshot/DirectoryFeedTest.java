package dev.millrace.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryFeedTest {

  private static final String ENTRY = "coefficients.bin";

  @TempDir private Path directory;

  private final List<SnapshotFeed> feeds = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (SnapshotFeed feed : feeds) {
      feed.close();
    }
  }

  @Test
  void givesEachSnapshotOnceAndTheNewestOnly() throws IOException {
    SnapshotFeed feed = feed();
    assertThat(feed.poll()).isEmpty();

    publish(0, 1);
    publish(0, 2);

    PublishedSnapshot given = feed.poll().orElseThrow();
    assertThat(given.description().version()).hasToString("0.2");
    assertThat(given.origin()).isEqualTo(directory.resolve("model-0.2.zip").toString());
    assertThat(given.archive()).hasSameBinaryContentAs(directory.resolve("model-0.2.zip"));
    assertThat(feed.poll()).isEmpty();
  }

  @Test
  void whatWasGivenStaysUntilTheNextLook() throws IOException {
    SnapshotFeed feed = feed();
    publish(0, 1);
    Path first = feed.poll().orElseThrow().archive();
    Files.delete(directory.resolve("model-0.1.zip"));
    assertThat(first).exists();

    publish(0, 2);
    Path second = feed.poll().orElseThrow().archive();
    assertThat(first).doesNotExist();
    assertThat(second).exists();

    feed.close();
    assertThat(second).doesNotExist();
  }

  @Test
  void followsAPointerThatGoesBack() throws IOException {
    SnapshotFeed feed = feed();
    publish(0, 1);
    byte[] older = Files.readAllBytes(latest());
    publish(0, 2);
    feed.poll();

    Files.write(latest(), older);

    assertThat(feed.poll().orElseThrow().description().version()).hasToString("0.1");
  }

  @Test
  void takesTheSameVersionOfAnotherRunForAnotherSnapshot() throws IOException {
    SnapshotFeed feed = feed();
    publish(0, 1);
    feed.poll();
    for (String file : List.of("model-0.1.zip", "model-0.1.json", Pointer.LATEST)) {
      Files.delete(directory.resolve(file));
    }

    publish(0, 1, new byte[17]);

    assertThat(feed.poll()).isPresent();
  }

  @Test
  void aDescriptionThatIsRewrittenIsNoNews() throws IOException {
    SnapshotFeed feed = feed();
    publish(0, 1);
    feed.poll();
    Path description = directory.resolve("model-0.1.json");

    Files.writeString(description, Files.readString(description) + "\n");

    assertThat(feed.poll()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "null", "{}", "{\"version\":\"0.1\"}", "\u0000\u0001"})
  void aPointerThatCannotBeReadSaysNothingOfSnapshots(String content) throws IOException {
    Files.writeString(latest(), content);

    assertThatThrownBy(() -> feed().poll())
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(UnusableSnapshotException.class)
        .hasMessageContaining("latest.json can't be read: ");
  }

  @ParameterizedTest
  @CsvSource({
    "model-0.2.zip,  there is no file model-0.2.zip",
    "model-0.2.json, there is no file model-0.2.json",
  })
  void aFileThatIsMissingIsNamed(String missing, String reason) throws IOException {
    publish(0, 2);
    Files.delete(directory.resolve(missing));

    assertUnusable(feed(), reason);
  }

  @Test
  void aTruncatedArchiveIsRefusedUntilItIsWhole() throws IOException {
    SnapshotFeed feed = feed();
    publish(0, 2);
    Path archive = directory.resolve("model-0.2.zip");
    byte[] whole = Files.readAllBytes(archive);
    Files.write(archive, Arrays.copyOf(whole, whole.length / 2));

    assertUnusable(feed, "it is cut off");
    assertUnusable(feed, "it is cut off");

    Files.write(archive, whole);
    assertThat(feed.poll()).isPresent();
  }

  @Test
  void aSingleChangedByteIsFound() throws IOException {
    SnapshotFeed feed = feed();
    publish(0, 2);
    Path archive = directory.resolve("model-0.2.zip");
    byte[] changed = Files.readAllBytes(archive);
    changed[60] ^= 1;
    Files.write(archive, changed);

    String reason = "its entry coefficients.bin can't be used: its checksum doesn't match";
    assertUnusable(feed, reason);
    assertUnusable(feed, reason);
  }

  @Test
  void anArchiveOfVeryManyEntriesIsRefused() throws IOException {
    publish(0, 2);
    try (ZipOutputStream zip = zip("model-0.2.zip")) {
      for (int entry = 0; entry < 2000; entry++) {
        zip.putNextEntry(new ZipEntry("entry" + entry));
      }
    }

    assertUnusable(feed(), "it has 2000 entries");
  }

  @Test
  void anArchiveThatDescribesItselfAtGreatLengthIsRefused() throws IOException {
    publish(0, 2);
    try (ZipOutputStream zip = zip("model-0.2.zip")) {
      zip.putNextEntry(new ZipEntry(ModelEngine.DESCRIPTION_ENTRY));
      zip.write(new byte[17 << 20]);
    }

    assertUnusable(
        feed(),
        "its entry %s can't be used: it is longer than 16777216 bytes"
            .formatted(ModelEngine.DESCRIPTION_ENTRY));
  }

  private ZipOutputStream zip(String name) throws IOException {
    return new ZipOutputStream(Files.newOutputStream(directory.resolve(name)));
  }

  @Test
  void anArchiveOfAnotherVersionIsRefused() throws IOException {
    publish(0, 1);
    publish(0, 2);
    Files.copy(
        directory.resolve("model-0.1.zip"),
        directory.resolve("model-0.2.zip"),
        StandardCopyOption.REPLACE_EXISTING);

    assertUnusable(feed(), "its archive holds version 0.1");
  }

  @Test
  void aDescriptionOfAnotherVersionIsRefused() throws IOException {
    publish(0, 1);
    publish(0, 2);
    Files.copy(
        directory.resolve("model-0.1.json"),
        directory.resolve("model-0.2.json"),
        StandardCopyOption.REPLACE_EXISTING);

    assertUnusable(feed(), "model-0.2.json describes version 0.1");
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
                SnapshotWriter writer = writer(content, 1);
                for (int round = 1; round <= rounds; round++) {
                  writer.write(TestModels.model(0, round), Optional.empty());
                }
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    SnapshotFeed feed = feed();
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

  private static void assertUnusable(SnapshotFeed feed, String reason) {
    assertThatThrownBy(feed::poll)
        .isInstanceOf(UnusableSnapshotException.class)
        .hasMessageStartingWith("latest.json in ")
        .hasMessageContaining("names version 0.2, which can't be used: " + reason);
  }

  private SnapshotFeed feed() {
    SnapshotFeed feed = SnapshotFeed.directory(directory, Pointer.LATEST);
    feeds.add(feed);
    return feed;
  }

  private Path latest() {
    return directory.resolve(Pointer.LATEST);
  }

  private void publish(long generation, long round) throws IOException {
    publish(generation, round, "what a model is made of".getBytes(UTF_8));
  }

  private void publish(long generation, long round, byte[] content) throws IOException {
    writer(content, 10).write(TestModels.model(generation, round), Optional.empty());
  }

  private SnapshotWriter writer(byte[] content, int keep) throws IOException {
    return new SnapshotWriter(
        SnapshotStore.directory(directory),
        new ZipEngine(content),
        Optional.empty(),
        new Retention(keep, 0),
        InstantSource.system());
  }

  /** Writes archives of one entry that isn't compressed, and one that tells the version. */
  private record ZipEngine(byte[] content) implements ModelEngine {

    @Override
    public String name() {
      return "zip";
    }

    @Override
    public InitialModel define(ModelDefinition definition) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ModelReplica build(ModelSpec spec, DeviceRequest device) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ArchivedModel readArchive(Path file) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<LayerDescription> describe(String kind, String configuration) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void writeArchive(GlobalModel model, Optional<String> description, Path file)
        throws IOException {
      try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
        zip.setLevel(0);
        zip.putNextEntry(new ZipEntry(ENTRY));
        zip.write(content);
        zip.putNextEntry(new ZipEntry(ModelEngine.DESCRIPTION_ENTRY));
        zip.write(description.orElseThrow().getBytes(UTF_8));
      }
    }
  }
}
