package dev.millrace.snapshot;

import java.io.IOException;

/** Names of files, which may come from files and topics that others write. */
public final class FileName {

  private FileName() {}

  /** Whether it is the name of a file in a directory, and leads nowhere else on any system. */
  static boolean isPlain(String name) {
    return !name.isEmpty()
        && !name.equals(".")
        && !name.equals("..")
        && name.chars().noneMatch(c -> c == '/' || c == '\\' || c == ':' || c < ' ');
  }

  /**
   * Refuses a name that leads anywhere but into a directory.
   *
   * @throws IOException if it does, naming it and the directory
   */
  public static void requirePlain(String name, Object directory) throws IOException {
    if (!isPlain(name)) {
      throw new IOException("'%s' is no name of a file in %s".formatted(name, directory));
    }
  }
}
