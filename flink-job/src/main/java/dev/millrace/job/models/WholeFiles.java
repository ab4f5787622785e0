package dev.millrace.job.models;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Set;
import org.apache.flink.core.fs.Path;

/**
 * The files of one directory on one of Flink's file systems, by their names. Each is replaced whole
 * or not at all, in the way that the file system allows: whoever reads finds the old content or all
 * of the new, also when the writer dies in between.
 */
public interface WholeFiles {

  /** Writes the content of one file. */
  @FunctionalInterface
  interface Content {

    /**
     * Writes it to a file that nobody reads yet.
     *
     * @param out is closed by the caller
     */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Creates or replaces a file. With one writer of a name at a time. */
  void replace(String name, Content content) throws IOException;

  /**
   * Opens a file.
   *
   * @throws FileNotFoundException if there is none
   */
  InputStream read(String name) throws IOException;

  /** Names of the files that are there; none where there is no such directory. */
  Set<String> names() throws IOException;

  /** Deletes a file, if it is there. */
  void delete(String name) throws IOException;

  /** Makes the directory where need be, and ends what a writer that died has begun. */
  void clean() throws IOException;

  /**
   * The files of a directory, which need not be there yet.
   *
   * @throws IOException if no file system of its scheme is known
   */
  static WholeFiles in(Path directory) throws IOException {
    String scheme = String.valueOf(directory.toUri().getScheme()).toLowerCase(Locale.ROOT);
    return ObjectFiles.SCHEMES.contains(scheme)
        ? new ObjectFiles(directory, directory.getFileSystem())
        : new RenamedFiles(directory, directory.getFileSystem());
  }
}
