package dev.millrace.job.setup;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.publish.ArchiveLocation;
import dev.millrace.model.InvalidModelException;
import dev.millrace.snapshot.ArchiveLabel;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipException;

/**
 * An archive that somebody named, by itself or by the directory that it is the latest snapshot of.
 *
 * @param description what the archive doesn't say itself, where it came with one
 */
record LocatedModel(Path archive, Optional<SnapshotDescription> description) {

  /**
   * @param option that names it, for messages
   * @throws InvalidOptionsException if there is no such file or directory
   * @throws InvalidModelException if there is, and holds no model that can be read
   */
  static LocatedModel find(String option, String model) {
    if (model.contains("://")) {
      return ofElsewhere(model);
    }
    Path path = Path.of(model);
    if (!Files.exists(path)) {
      throw new InvalidOptionsException(
          List.of(
              "%s is '%s'; there is no such file or directory, or this user may not look into the"
                      .formatted(option, model)
                  + " directories above it"));
    }
    if (!Files.isReadable(path)) {
      throw new InvalidModelException("%s can't be read: this user may not".formatted(path));
    }
    return Files.isDirectory(path) ? ofDirectory(path) : ofArchive(path);
  }

  private static LocatedModel ofElsewhere(String model) {
    try {
      return ofArchive(new ArchiveLocation(model).fetch());
    } catch (IOException e) {
      throw new InvalidModelException(e.getMessage(), e);
    }
  }

  private static LocatedModel ofDirectory(Path directory) {
    try {
      LatestSnapshot latest =
          LatestSnapshot.find(directory)
              .orElseThrow(
                  () ->
                      new InvalidModelException(
                          ("The directory %s has no latest.json: no model was published there."
                                  + " Name an archive, or the snapshot.directory of a job")
                              .formatted(directory)));
      return new LocatedModel(latest.archive(), Optional.of(latest.description()));
    } catch (IOException e) {
      throw new InvalidModelException(
          "The latest snapshot of %s can't be read: %s".formatted(directory, e.getMessage()), e);
    }
  }

  private static LocatedModel ofArchive(Path archive) {
    String name = archive.getFileName().toString();
    Path beside = archive.resolveSibling(name.replaceFirst("\\.zip$", "") + ".json");
    try {
      Optional<SnapshotDescription> description = inside(archive);
      if (description.isEmpty() && Files.isReadable(beside)) {
        String text = Files.readString(beside);
        description =
            text.contains("\"millrace\"")
                ? Optional.of(SnapshotDescription.fromJson(text))
                : Optional.empty();
      }
      return new LocatedModel(archive, description);
    } catch (IOException e) {
      throw new InvalidModelException(
          "The description of the model %s can't be read: %s".formatted(archive, e.getMessage()),
          e);
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
