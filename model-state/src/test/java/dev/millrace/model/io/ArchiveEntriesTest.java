package dev.millrace.model.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the tests of archives of networks, and of feeds, don't tell. */
final class ArchiveEntriesTest {

  private static final String NAME = "entry";

  @TempDir private Path directory;

  /** So a file of 10 MB could hold more than anybody has the time to read. */
  @Test
  void entriesThatShareTheirBytesAreRefused() throws IOException {
    byte[] content = new byte[10_000];
    new Random(1).nextBytes(content);
    byte[] zip = zip(content);
    int directoryAt = new String(zip, ISO_8859_1).indexOf("PK\1\2");
    int endAt = new String(zip, ISO_8859_1).indexOf("PK\5\6");
    int length = endAt - directoryAt;
    ByteBuffer twice = ByteBuffer.allocate(zip.length + length).order(ByteOrder.LITTLE_ENDIAN);
    twice.put(zip, 0, endAt).put(zip, directoryAt, length).put(zip, endAt, zip.length - endAt);
    int end = endAt + length;
    twice.putShort(end + 8, (short) 2).putShort(end + 10, (short) 2).putInt(end + 12, 2 * length);

    try (ArchiveEntries once = ArchiveEntries.open(file(zip))) {
      once.requireWhole();
    }
    assertThatThrownBy(() -> ArchiveEntries.open(file(twice.array())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("longer together than the file's " + twice.capacity());
  }

  /** Engines may have all entries in a folder of some name. */
  @Test
  void anEntryIsFoundInWhateverFolder() throws IOException {
    Path file = directory.resolve("folder.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("model/extra/not" + NAME));
      zip.putNextEntry(new ZipEntry("model/extra/" + NAME));
    }

    try (ArchiveEntries entries = ArchiveEntries.open(file)) {
      assertThat(entries.find(NAME)).contains("model/extra/" + NAME);
      assertThat(entries.find("extra")).isEmpty();
    }
    try (ArchiveEntries entries = ArchiveEntries.open(file(zip(new byte[1])))) {
      assertThat(entries.find(NAME)).contains(NAME);
    }
  }

  /** Zeros are what gets smallest. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 10_000_000})
  void noEntryIsLongerThanItsPlaceInTheFileAllows(int length) throws IOException {
    try (ArchiveEntries entries = ArchiveEntries.open(file(zip(new byte[length])))) {
      assertThat(entries.mostBytes(NAME)).isBetween((long) length, 2L * length + 10_000);
    }
  }

  private static byte[] zip(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(NAME));
      zip.write(content);
    }
    return bytes.toByteArray();
  }

  private Path file(byte[] content) throws IOException {
    return Files.write(directory.resolve("archive.zip"), content);
  }
}
