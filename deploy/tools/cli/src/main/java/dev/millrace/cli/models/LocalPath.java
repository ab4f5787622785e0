package dev.millrace.cli.models;

import java.nio.file.Path;
import java.util.Optional;

/** Whether a path is one of this machine or of another file system. */
final class LocalPath {

  private LocalPath() {}

  /**
   * Returns where a path leads on this machine.
   *
   * @param path as Flink takes it: with or without a scheme, and not encoded
   * @return empty if it is on another file system, or no path at all
   */
  static Optional<Path> of(String path) {
    try {
      var parsed = new org.apache.flink.core.fs.Path(path).toUri();
      boolean local = parsed.getScheme() == null || parsed.getScheme().equals("file");
      return local ? Optional.of(Path.of(parsed.getPath())) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
