package dev.millrace.dl4j.spark;

import dev.millrace.dl4j.source.StoredFiles;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.flink.core.fs.Path;
import org.nd4j.common.loader.Loader;
import org.nd4j.common.loader.Source;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Data sets of files, each read when it is needed, on any of Flink's file systems. */
final class Saved {

  private Saved() {}

  /** Returns the files of a directory, those of directories in it, too; at least one. */
  static List<String> files(String directory) throws IOException {
    return StoredFiles.in(directory);
  }

  /** Reads what DL4J's {@code save} wrote. */
  static List<DataSet> dataSets(List<String> files) {
    return loaded(
        files,
        source -> {
          DataSet dataSet = new DataSet();
          try (InputStream in = source.getInputStream()) {
            dataSet.load(in);
          }
          return dataSet;
        });
  }

  /** Reads what DL4J's {@code save} wrote, with several inputs or outputs. */
  static List<MultiDataSet> multiDataSets(List<String> files) {
    return loaded(
        files,
        source -> {
          MultiDataSet dataSet = new org.nd4j.linalg.dataset.MultiDataSet();
          try (InputStream in = source.getInputStream()) {
            dataSet.load(in);
          }
          return dataSet;
        });
  }

  /** Reads by a loader of the program. */
  static <T> List<T> loaded(List<String> files, Loader<T> loader) {
    return new MappedList<>(files, file -> load(file, loader));
  }

  private static <T> T load(String file, Loader<T> loader) {
    try {
      return loader.load(new File(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "%s holds no data set that can be read: %s".formatted(file, e.getMessage()), e);
    }
  }

  private record File(String path) implements Source {

    @Override
    public InputStream getInputStream() throws IOException {
      Path file = new Path(path);
      return new BufferedInputStream(file.getFileSystem().open(file));
    }

    @Override
    public String getPath() {
      return path;
    }
  }
}
