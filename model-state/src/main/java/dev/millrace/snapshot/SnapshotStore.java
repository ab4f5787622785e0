package dev.millrace.snapshot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A place for the files of snapshots. One writer uses it at a time. */
public interface SnapshotStore {

  /** Writes the content of one file. */
  @FunctionalInterface
  interface Content {

    /**
     * Writes the content, and need not care who reads it half done.
     *
     * @param file on the local file system, to be created or replaced
     */
    void writeTo(Path file) throws IOException;
  }

  /**
   * Creates or replaces a file, at once and durably: whoever reads sees the old content, if there
   * was any, or all of the new.
   *
   * @throws IOException naming the file and the cause; the old content is untouched then
   */
  void put(String name, Content content) throws IOException;

  /** The names of the files that are there, those put first in front. */
  List<String> names() throws IOException;

  /** Deletes a file, if it is there. */
  void delete(String name) throws IOException;

  /** Where people find a file. */
  Path locate(String name);

  /**
   * A directory of the local file system. It is created if need be, and what a writer that crashed
   * left unfinished in it is deleted.
   *
   * @throws IOException if it can't be created or read
   */
  static SnapshotStore directory(Path directory) throws IOException {
    return DirectoryStore.open(directory);
  }
}
