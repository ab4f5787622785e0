package dev.millrace.job.models;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.model.Lineage;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.Reason;
import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.snapshot.ArchiveLabel;
import dev.millrace.snapshot.BoundedText;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipException;
import org.apache.flink.core.fs.FileSystem;

/**
 * An archive that somebody named, by itself or by the directory that it is the latest snapshot of,
 * on this machine or on any of Flink's file systems.
 *
 * @param location as it was named: a path or a URI
 * @param archive a file on this machine; a copy, where it is elsewhere
 * @param description what the archive doesn't say itself, where it came with one
 */
public record LocatedModel(
    String location, Path archive, Optional<SnapshotDescription> description) {

  /**
   * Finds it. A copy of what is elsewhere is deleted with the process.
   *
   * @param option that names it, for messages
   * @throws InvalidOptionsException if there is no such file or directory on this machine
   * @throws InvalidModelException if there is, and holds no model that can be read
   */
  public static LocatedModel find(String option, String location) {
    Optional<Path> local =
        location.contains("://")
            ? SnapshotPlace.of(location).local()
            : Optional.of(Path.of(location));
    if (local.isEmpty()) {
      return elsewhere(location);
    }
    Path path = local.get();
    if (!Files.exists(path)) {
      throw new InvalidOptionsException(
          List.of(
              "%s is '%s'; there is no such file or directory, or this user may not look into the"
                      .formatted(option, location)
                  + " directories above it"));
    }
    if (!Files.isReadable(path)) {
      throw new InvalidModelException("%s can't be read: this user may not".formatted(path));
    }
    return Files.isDirectory(path) ? ofDirectory(location, path) : ofArchive(location, path);
  }

  /**
   * The archive as the parent of what is trained from it.
   *
   * @throws InvalidModelException if it can't be read
   */
  public Lineage.Parent parent() {
    try {
      return ArchiveLabel.parent(location, archive);
    } catch (IOException e) {
      throw new InvalidModelException(
          "The archive %s can't be read: %s".formatted(archive, Reason.of(e)), e);
    }
  }

  private static LocatedModel elsewhere(String location) {
    try {
      org.apache.flink.core.fs.Path path = new org.apache.flink.core.fs.Path(location);
      FileSystem files = path.getFileSystem();
      if (!files.getFileStatus(path).isDir()) {
        return ofArchive(location, copy(files.open(path), path.getName()));
      }
      SnapshotStore store = SnapshotPlace.of(location).open();
      String archive =
          new SnapshotCatalog(store)
              .pointer(Pointer.LATEST)
              .map(Pointer::archive)
              .orElseThrow(
                  () ->
                      new IOException(
                          "it is a directory without %s; name an archive in it"
                              .formatted(Pointer.LATEST)));
      return ofArchive(location, copy(store.read(archive), archive));
    } catch (IOException | IllegalArgumentException e) {
      throw new InvalidModelException(
          "The model %s can't be read: %s".formatted(location, Reason.of(e)), e);
    }
  }

  private static Path copy(InputStream from, String name) throws IOException {
    Path copy = TemporaryFiles.file("millrace-", "-" + name);
    copy.toFile().deleteOnExit();
    try (from) {
      Files.copy(from, copy, StandardCopyOption.REPLACE_EXISTING);
    }
    return copy;
  }

  private static LocatedModel ofDirectory(String location, Path directory) {
    try {
      LatestSnapshot latest =
          LatestSnapshot.find(directory)
              .orElseThrow(
                  () ->
                      new InvalidModelException(
                          ("The directory %s has no latest.json: no model was published there."
                                  + " Name an archive, or the directory that a job publishes in")
                              .formatted(directory)));
      return new LocatedModel(location, latest.archive(), Optional.of(latest.description()));
    } catch (IOException e) {
      throw new InvalidModelException(
          "The latest snapshot of %s can't be read: %s".formatted(directory, Reason.of(e)), e);
    }
  }

  private static LocatedModel ofArchive(String location, Path archive) {
    String name = archive.getFileName().toString();
    Path beside = archive.resolveSibling(name.replaceFirst("\\.zip$", "") + ".json");
    try {
      Optional<SnapshotDescription> description = inside(archive);
      if (description.isEmpty() && BoundedText.isDescription(beside)) {
        description = Optional.of(SnapshotDescription.fromJson(BoundedText.read(beside)));
      }
      return new LocatedModel(location, archive, description);
    } catch (IOException e) {
      throw new InvalidModelException(
          "The description of the model %s can't be read: %s".formatted(archive, Reason.of(e)), e);
    }
  }

  /** Empty, too, where the archive can't be read: whoever reads all of it says that better. */
  private static Optional<SnapshotDescription> inside(Path archive) throws IOException {
    try {
      return ArchiveLabel.read(archive);
    } catch (ZipException e) {
      return Optional.empty();
    }
  }
}
