package dev.millrace.dl4j.source;

import dev.millrace.dl4j.data.MinibatchRows;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.flink.core.fs.Path;

/**
 * Minibatches that were saved, one in a file, in the order of the files' names; on any of Flink's
 * file systems. Each share reads its own files, on a thread of its own.
 */
public final class StoredMinibatches implements Minibatches {

  /** What the files hold. */
  public enum Content {
    /** What {@link RowsIterator#saveTo} writes: whoever reads it needs no ND4J. */
    ROWS,
    /** DL4J's data sets, saved by it. */
    DATA_SETS,
    /** DL4J's data sets of several inputs or outputs, saved by it. */
    MULTI_DATA_SETS
  }

  private final List<String> files;
  private final Content content;
  private final int prefetched;

  private StoredMinibatches(List<String> files, Content content, int prefetched) {
    this.files = List.copyOf(files);
    this.content = content;
    this.prefetched = prefetched;
  }

  /**
   * Finds the files of a directory, those of directories in it, too.
   *
   * @param prefetched files that a share reads ahead, at least 1
   * @throws FileNotFoundException if there are none
   */
  public static StoredMinibatches in(String directory, Content content, int prefetched)
      throws IOException {
    return new StoredMinibatches(StoredFiles.in(directory), content, prefetched);
  }

  /** Reads the first one. */
  public MinibatchRows first() throws IOException {
    return read(files.get(0));
  }

  @Override
  public ShareQueue open(Share share, int epochs) {
    ShareQueue queue = new ShareQueue(prefetched);
    Thread thread = new Thread(() -> fill(queue, share, epochs), "millrace-" + share.splitId());
    thread.setDaemon(true);
    thread.start();
    return queue;
  }

  private void fill(ShareQueue queue, Share share, int epochs) {
    long next = share.minibatch();
    try {
      for (int epoch = share.epoch(); epoch < epochs; epoch++) {
        for (; next < files.size() && !queue.isClosed(); next += share.shares()) {
          queue.put(new ShareQueue.Placed(epoch, next, read(files.get((int) next))));
        }
        next = Share.firstOf(epoch + 1, share.number(), share.shares());
      }
      queue.end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException | Error e) {
      queue.fail(e);
    }
  }

  private MinibatchRows read(String file) throws IOException {
    Path path = new Path(file);
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(path.getFileSystem().open(path)))) {
      return switch (content) {
        case ROWS -> MinibatchRows.read(in);
        case DATA_SETS -> SavedDataSet.read(in);
        case MULTI_DATA_SETS -> SavedDataSet.readMulti(in);
      };
    } catch (RuntimeException e) {
      throw new IOException(
          "%s holds no data set as DL4J's save() writes it: %s".formatted(file, e.getMessage()), e);
    } catch (NoClassDefFoundError e) {
      throw new IOException(
          "%s is a data set of DL4J, and this process has no DL4J on its class path: put its jars into Flink's lib/"
              .formatted(file),
          e);
    }
  }
}
