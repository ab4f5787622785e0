package dev.millrace.snapshot;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes models into a directory: {@code model-G.R.zip} in the engine's archive format, {@code
 * model-G.R.json} beside it, and {@code latest.json}, a copy of the newest description. A file is
 * there whole or not at all, and a description only after its archive, so whoever follows {@code
 * latest.json} always finds a whole model.
 *
 * <p>One writer a directory; not thread-safe.
 */
public final class SnapshotWriter {

  /** Name of the newest description. */
  public static final String LATEST = "latest.json";

  private static final String PREFIX = "model-";
  private static final String ARCHIVE = ".zip";
  private static final String DESCRIPTION = ".json";
  private static final String UNFINISHED = ".part";

  private final Path directory;
  private final int keep;

  /**
   * Makes the directory if there is none, and clears away what a crashed writer left unfinished.
   *
   * @param keep how many models are kept, at least 1; older ones are deleted
   */
  public SnapshotWriter(Path directory, int keep) throws IOException {
    if (keep < 1) {
      throw new IllegalArgumentException("At least one model is kept, not " + keep);
    }
    this.directory = directory;
    this.keep = keep;
    try {
      Files.createDirectories(directory);
      for (Path leftover : list("*" + UNFINISHED)) {
        Files.delete(leftover);
      }
    } catch (IOException e) {
      throw new IOException("Models can't be written to " + directory + ": " + e, e);
    }
  }

  /**
   * Writes a model.
   *
   * @return its archive
   * @throws IOException if it can't be written; then the directory is as it was before
   */
  public Path write(GlobalModel model, Optional<Measures> holdOut, Map<String, String> options)
      throws IOException {
    String name = PREFIX + model.version();
    Path archive = directory.resolve(name + ARCHIVE);
    SnapshotDescription description =
        SnapshotDescription.of(
            model, holdOut, options, archive.getFileName().toString(), Instant.now());
    try {
      ModelEngine engine = ModelEngine.named(model.spec().engine());
      writeWhole(archive, file -> engine.writeArchive(model, file));
      byte[] json = description.toJson().getBytes(StandardCharsets.UTF_8);
      writeWhole(directory.resolve(name + DESCRIPTION), file -> Files.write(file, json));
      writeWhole(directory.resolve(LATEST), file -> Files.write(file, json));
      deleteOld();
    } catch (IOException e) {
      throw new IOException("Model " + name + " can't be written to " + directory + ": " + e, e);
    }
    return archive;
  }

  private static void writeWhole(Path file, FileWriter writer) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
    try {
      writer.write(unfinished);
      try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private void deleteOld() throws IOException {
    List<Path> archives = list(PREFIX + "[0-9]*.[0-9]*" + ARCHIVE);
    archives.sort(
        Comparator.comparing(SnapshotWriter::generation).thenComparing(SnapshotWriter::round));
    for (Path archive : archives.subList(0, Math.max(0, archives.size() - keep))) {
      String name = archive.getFileName().toString();
      String stem = name.substring(0, name.length() - ARCHIVE.length());
      // Whoever reads the description first must still find its archive.
      Files.deleteIfExists(directory.resolve(stem + DESCRIPTION));
      Files.deleteIfExists(archive);
    }
  }

  private static long generation(Path archive) {
    return Long.parseLong(version(archive)[0]);
  }

  private static long round(Path archive) {
    return Long.parseLong(version(archive)[1]);
  }

  private static String[] version(Path archive) {
    String name = archive.getFileName().toString();
    return name.substring(PREFIX.length(), name.length() - ARCHIVE.length()).split("\\.");
  }

  private List<Path> list(String pattern) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, pattern)) {
      stream.forEach(files::add);
    }
    return files;
  }

  private interface FileWriter {
    void write(Path file) throws IOException;
  }
}
