package dev.millrace.dl4j.source;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/** The files of a directory, in the order of their names, on any of Flink's file systems. */
public final class StoredFiles {

  private StoredFiles() {}

  /**
   * Finds them, those of directories in it, too.
   *
   * @throws FileNotFoundException if there are none
   */
  public static List<String> in(String directory) throws IOException {
    Path root = new Path(directory);
    List<String> files = new ArrayList<>();
    list(root.getFileSystem(), root, files);
    if (files.isEmpty()) {
      throw new FileNotFoundException("There is no file in " + directory);
    }
    return files;
  }

  private static void list(FileSystem system, Path directory, List<String> files)
      throws IOException {
    FileStatus[] all = system.listStatus(directory);
    if (all == null) {
      throw new FileNotFoundException("There is no directory " + directory);
    }
    Arrays.sort(all, Comparator.comparing(status -> FileOrder.key(status.getPath().getName())));
    for (FileStatus status : all) {
      if (status.isDir()) {
        list(system, status.getPath(), files);
      } else {
        files.add(status.getPath().toString());
      }
    }
  }
}
