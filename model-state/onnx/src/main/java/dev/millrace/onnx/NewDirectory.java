package dev.millrace.onnx;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Directories of files that appear whole or not at all. */
final class NewDirectory {

  /** Fills a directory. */
  @FunctionalInterface
  interface Content<T> {

    /** Writes files, and none in a directory below. */
    T writeTo(Path directory) throws IOException;
  }

  private NewDirectory() {}

  /**
   * Makes one.
   *
   * @throws FileAlreadyExistsException if it is there
   */
  static <T> T write(Path directory, Content<T> content) throws IOException {
    Path place = directory.toAbsolutePath().normalize();
    if (Files.exists(place)) {
      throw new FileAlreadyExistsException(place.toString());
    }
    Files.createDirectories(place.getParent());
    Path unfinished = place.resolveSibling(".%s.unfinished".formatted(UUID.randomUUID()));
    Files.createDirectory(unfinished);
    try {
      T result = content.writeTo(unfinished);
      Files.move(unfinished, place, StandardCopyOption.ATOMIC_MOVE);
      return result;
    } finally {
      delete(unfinished);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        List<Path> all = files.toList();
        for (Path file : all) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }
}
