package dev.millrace.snapshot;

import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.ArchiveEntries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Checks that an archive is whole and of the version that its pointer names. */
final class ArchiveCheck {

  private ArchiveCheck() {}

  /**
   * Reads the archive once, and compares each entry with its check sum. Takes as little memory, and
   * as many entries, as {@link ArchiveEntries} does.
   *
   * @throws IOException if it is truncated or changed, or describes itself as another version
   */
  static void requireWhole(Path archive, ModelVersion version) throws IOException {
    try (ArchiveEntries entries = ArchiveEntries.open(archive)) {
      entries.requireWhole();
      Optional<ModelVersion> own = ArchiveLabel.read(entries).map(SnapshotDescription::version);
      if (own.isPresent() && !own.get().equals(version)) {
        throw new IOException("its archive holds version " + own.get());
      }
    }
  }
}
