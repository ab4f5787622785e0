package dev.millrace.dl4j.evaluate;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.List;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.InstantiationUtil;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * A desk of files, for tasks of a cluster that reach the same directory.
 *
 * @param directory on any of Flink's file systems
 */
record StoredDesk(String directory) implements Desk {

  /** Writes what tasks read. */
  void lay(Model network, List<? extends List<? extends MultiDataSet>> parts) throws IOException {
    try (OutputStream out = create("network")) {
      Networks.write(network, out);
    }
    for (int i = 0; i < parts.size(); i++) {
      try (DataOutputStream out = new DataOutputStream(create("part-" + i))) {
        for (MultiDataSet item : parts.get(i)) {
          StoredItems.write(item, out);
        }
      }
    }
  }

  @Override
  public Model network() throws IOException {
    try (InputStream in = open("network")) {
      return Networks.read(in);
    }
  }

  @Override
  public CloseableIterator<MultiDataSet> part(int number) throws IOException {
    return new StoredItems(new DataInputStream(open("part-" + number)));
  }

  @Override
  public void put(int number, Serializable result) throws IOException {
    try (OutputStream out = create("result-" + number)) {
      InstantiationUtil.serializeObject(out, result);
    }
  }

  /** Reads the result of a part. */
  Serializable result(int number) throws IOException {
    try (InputStream in = open("result-" + number)) {
      return InstantiationUtil.deserializeObject(
          in, Thread.currentThread().getContextClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IOException("A result is of a class that isn't here: " + e.getMessage(), e);
    }
  }

  /** Deletes all of it. */
  void clear() throws IOException {
    Path path = new Path(directory);
    path.getFileSystem().delete(path, true);
  }

  private OutputStream create(String name) throws IOException {
    Path path = new Path(directory, name);
    return new BufferedOutputStream(path.getFileSystem().create(path, WriteMode.OVERWRITE));
  }

  private InputStream open(String name) throws IOException {
    Path path = new Path(directory, name);
    return new BufferedInputStream(path.getFileSystem().open(path));
  }
}
