package dev.millrace.snapshot;

import dev.millrace.model.io.Reason;
import dev.millrace.model.io.TemporaryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * Reads a pointer again and again, and when it names another archive copies that: a writer that
 * publishes often would delete it under whoever reads it at leisure.
 */
final class DirectoryFeed implements SnapshotFeed {

  /** How often a snapshot may be deleted under the reader, being the latest no more. */
  private static final int ATTEMPTS = 3;

  private final Path directory;
  private final Path pointerFile;
  private final SnapshotCatalog catalog;
  private Given last;

  /** What was found damaged, so that it isn't read through each time; null where nothing was. */
  private Given damaged;

  private IOException damage;

  /** The archive that was given last; null where none was. */
  private Path copy;

  /** A job that starts anew in the same place may use the names and versions of another again. */
  private record Given(
      String version, String archive, boolean held, FileTime modified, long size) {}

  DirectoryFeed(Path directory, String pointer) {
    this.directory = directory;
    this.pointerFile = directory.resolve(pointer);
    this.catalog = new SnapshotCatalog(SnapshotStore.directory(directory));
  }

  @Override
  public Optional<PublishedSnapshot> poll() throws IOException {
    Optional<Pointer> pointer = readPointer();
    for (int attempt = 1; pointer.isPresent(); attempt++) {
      try {
        return look(pointer.get());
      } catch (IOException e) {
        Optional<Pointer> again = readPointer();
        if (again.equals(pointer) || attempt == ATTEMPTS) {
          throw new UnusableSnapshotException(
              "%s in %s names version %s, which can't be used: %s"
                  .formatted(
                      pointerFile.getFileName(), directory, pointer.get().version(), reason(e)),
              e);
        }
        pointer = again;
      }
    }
    return Optional.empty();
  }

  private Optional<PublishedSnapshot> look(Pointer pointer) throws IOException {
    Path archive = directory.resolve(pointer.archive());
    BasicFileAttributes attributes = Files.readAttributes(archive, BasicFileAttributes.class);
    Given found =
        new Given(
            pointer.version(),
            pointer.archive(),
            pointer.held(),
            attributes.lastModifiedTime(),
            attributes.size());
    if (found.equals(last)) {
      return Optional.empty();
    }
    if (found.equals(damaged)) {
      throw damage;
    }
    SnapshotDescription description = describe(pointer);
    deleteCopy();
    copy = TemporaryFiles.file("model-" + description.version() + "-", ".zip");
    Files.copy(archive, copy, StandardCopyOption.REPLACE_EXISTING);
    try {
      ArchiveCheck.requireWhole(copy, description.version());
    } catch (IOException e) {
      damaged = found;
      damage = e;
      throw e;
    }
    last = found;
    return Optional.of(
        new PublishedSnapshot(description, archive.toString(), copy, pointer.held()));
  }

  private void deleteCopy() throws IOException {
    if (copy != null) {
      Files.deleteIfExists(copy);
      copy = null;
    }
  }

  private SnapshotDescription describe(Pointer pointer) throws IOException {
    Path file = directory.resolve(pointer.description());
    SnapshotDescription description = SnapshotDescription.fromJson(BoundedText.read(file));
    if (!String.valueOf(description.version()).equals(pointer.version())) {
      throw new IOException(
          "%s describes version %s".formatted(file.getFileName(), description.version()));
    }
    return description;
  }

  private Optional<Pointer> readPointer() throws IOException {
    Optional<Hold> hold = catalog.hold();
    return hold.isPresent()
        ? hold.get().insteadOf(pointerFile.getFileName().toString())
        : readPointerFile();
  }

  private Optional<Pointer> readPointerFile() throws IOException {
    try {
      return Optional.of(Pointer.fromJson(BoundedText.read(pointerFile)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new IOException("%s can't be read: %s".formatted(pointerFile, reason(e)), e);
    }
  }

  private static String reason(IOException e) {
    return e instanceof NoSuchFileException missing
        ? "there is no file " + Path.of(missing.getFile()).getFileName()
        : Reason.of(e);
  }

  @Override
  public void close() throws IOException {
    last = null;
    deleteCopy();
  }
}
