package dev.millrace.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Tells a whole archive from what is left of one. */
final class ArchiveCheck {

  private static final int BUFFER_BYTES = 1 << 16;

  private ArchiveCheck() {}

  /**
   * Reads the archive once, and compares each entry with its check sum.
   *
   * @throws IOException if it is truncated or changed, or describes itself as another version
   */
  static void requireWhole(Path archive, ModelVersion version) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements()) {
        requireWhole(zip, entries.nextElement());
      }
      requireVersion(zip, version);
    }
  }

  private static void requireWhole(ZipFile zip, ZipEntry entry) throws IOException {
    CRC32 sum = new CRC32();
    try (CheckedInputStream in = new CheckedInputStream(zip.getInputStream(entry), sum)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      while (in.read(buffer) >= 0) {
        // The stream sums up what is read.
      }
    }
    if (sum.getValue() != entry.getCrc()) {
      throw new IOException(
          "the archive's entry %s is damaged: its check sum is another".formatted(entry.getName()));
    }
  }

  private static void requireVersion(ZipFile zip, ModelVersion version) throws IOException {
    ZipEntry entry = zip.getEntry(ModelEngine.DESCRIPTION_ENTRY);
    if (entry == null) {
      return;
    }
    try (InputStream in = zip.getInputStream(entry)) {
      ModelVersion own =
          SnapshotDescription.fromJson(new String(in.readAllBytes(), UTF_8)).version();
      if (!own.equals(version)) {
        throw new IOException("its archive holds version " + own);
      }
    }
  }
}
