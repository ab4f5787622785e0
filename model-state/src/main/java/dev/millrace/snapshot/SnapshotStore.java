package dev.millrace.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/** A place for the files of snapshots, with one writer at a time and any number of readers. */
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

  /**
   * The content of a file as it is now.
   *
   * @throws java.nio.file.NoSuchFileException or {@link java.io.FileNotFoundException} if it isn't
   *     there
   */
  InputStream read(String name) throws IOException;

  /** The names of the files that are there; none where the place isn't there yet. */
  List<String> names() throws IOException;

  /** Deletes a file, if it is there. */
  void delete(String name) throws IOException;

  /** Returns where people find a file, or with an empty name the place itself. */
  String locate(String name);

  /**
   * Makes the place ready for its one writer: it is created if need be, and what a writer that
   * crashed left unfinished is deleted.
   *
   * @throws IOException if it can't be written to
   */
  void clean() throws IOException;

  /** A directory of the local file system, which need not be there yet. */
  static SnapshotStore directory(Path directory) {
    return new DirectoryStore(directory);
  }
}
