package dev.millrace.snapshot;

/** Names of files, which may come from files and topics that others write. */
final class FileName {

  private FileName() {}

  /** Whether it is the name of a file in a directory, and leads nowhere else on any system. */
  static boolean isPlain(String name) {
    return !name.isEmpty()
        && !name.equals(".")
        && !name.equals("..")
        && name.chars().noneMatch(c -> c == '/' || c == '\\' || c == ':' || c < ' ');
  }
}
