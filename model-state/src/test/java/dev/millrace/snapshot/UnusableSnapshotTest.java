package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ModelEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Snapshots that a directory names and that cannot be used. */
class UnusableSnapshotTest {

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

  @ParameterizedTest
  @CsvSource({
    "model-0.2.zip,  there is no file model-0.2.zip",
    "model-0.2.json, there is no file model-0.2.json",
  })
  void aFileThatIsMissingIsNamed(String missing, String reason) throws IOException {
    snapshots.publish(0, 2);
    Files.delete(directory.resolve(missing));

    assertUnusable(snapshots.feed(), reason);
  }

  @ParameterizedTest
  @CsvSource({
    "50000, The snapshot's description can't be used: it is nested deeper than 100 levels",
    "9000000, it is longer than the 16777216 bytes of the longest description",
  })
  void aDescriptionThatIsTooDeepOrTooLongIsRefused(int levels, String reason) throws IOException {
    snapshots.publish(0, 2);
    Path description = directory.resolve("model-0.2.json");
    String deep = "{\"x\":" + "[".repeat(levels) + "]".repeat(levels) + ",";
    Files.writeString(description, deep + Files.readString(description).substring(1));

    assertUnusable(snapshots.feed(), reason);
  }

  @Test
  void aPointerThatIsTooLongIsRefused() throws IOException {
    snapshots.publish(0, 2);
    Files.writeString(directory.resolve("latest.json"), " ".repeat(17 << 20));

    assertThatThrownBy(snapshots.feed()::poll)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it is longer than");
  }

  @Test
  void aTruncatedArchiveIsRefusedUntilItIsWhole() throws IOException {
    SnapshotFeed feed = snapshots.feed();
    snapshots.publish(0, 2);
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
    SnapshotFeed feed = snapshots.feed();
    snapshots.publish(0, 2);
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
    snapshots.publish(0, 2);
    try (ZipOutputStream zip = zip("model-0.2.zip")) {
      for (int entry = 0; entry < 20_001; entry++) {
        zip.putNextEntry(new ZipEntry("entry" + entry));
      }
    }

    assertUnusable(snapshots.feed(), "it has 20001 entries");
  }

  @Test
  void anArchiveThatDescribesItselfAtGreatLengthIsRefused() throws IOException {
    snapshots.publish(0, 2);
    try (ZipOutputStream zip = zip("model-0.2.zip")) {
      zip.putNextEntry(new ZipEntry(ModelEngine.DESCRIPTION_ENTRY));
      zip.write(new byte[17 << 20]);
    }

    assertUnusable(
        snapshots.feed(),
        "its entry %s can't be used: it is longer than 16777216 bytes"
            .formatted(ModelEngine.DESCRIPTION_ENTRY));
  }

  @Test
  void anArchiveOfAnotherVersionIsRefused() throws IOException {
    snapshots.publish(0, 1);
    snapshots.publish(0, 2);
    Files.copy(
        directory.resolve("model-0.1.zip"),
        directory.resolve("model-0.2.zip"),
        StandardCopyOption.REPLACE_EXISTING);

    assertUnusable(snapshots.feed(), "its archive holds version 0.1");
  }

  @Test
  void aDescriptionOfAnotherVersionIsRefused() throws IOException {
    snapshots.publish(0, 1);
    snapshots.publish(0, 2);
    Files.copy(
        directory.resolve("model-0.1.json"),
        directory.resolve("model-0.2.json"),
        StandardCopyOption.REPLACE_EXISTING);

    assertUnusable(snapshots.feed(), "model-0.2.json describes version 0.1");
  }

  private ZipOutputStream zip(String name) throws IOException {
    return new ZipOutputStream(Files.newOutputStream(directory.resolve(name)));
  }

  private static void assertUnusable(SnapshotFeed feed, String reason) {
    assertThatThrownBy(feed::poll)
        .isInstanceOf(UnusableSnapshotException.class)
        .hasMessageStartingWith("latest.json in ")
        .hasMessageContaining("names version 0.2, which can't be used: " + reason);
  }
}
