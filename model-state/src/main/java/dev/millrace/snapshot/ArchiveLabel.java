package dev.millrace.snapshot;

import dev.millrace.model.Lineage;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.io.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** The description within an archive that Millrace wrote; other archives have none. */
public final class ArchiveLabel {

  private ArchiveLabel() {}

  /**
   * The description that lies in an archive; empty where another than Millrace wrote it.
   *
   * @throws IOException if it is no readable zip, or the description in it is damaged or of more
   *     than 16 MB
   */
  public static Optional<SnapshotDescription> read(Path archive) throws IOException {
    try (ArchiveEntries entries = ArchiveEntries.open(archive)) {
      return read(entries);
    }
  }

  static Optional<SnapshotDescription> read(ArchiveEntries entries) throws IOException {
    // TorchScript archives have all in a folder.
    Optional<String> entry = entries.find(ModelEngine.DESCRIPTION_ENTRY);
    if (entry.isEmpty()) {
      return Optional.empty();
    }
    byte[] text = entries.bytes(entry.get(), StrictJson.MOST_DESCRIPTION_BYTES).orElseThrow();
    return Optional.of(SnapshotDescription.fromJson(new String(text, StandardCharsets.UTF_8)));
  }

  /**
   * An archive as the parent of what is trained from it.
   *
   * @param source where people find it
   * @param archive the file itself
   */
  public static Lineage.Parent parent(String source, Path archive) throws IOException {
    return new Lineage.Parent(
        source, sha256(archive), read(archive).map(SnapshotDescription::version).orElse(null));
  }

  static String sha256(Path file) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
