package dev.millrace.file;

import dev.millrace.model.io.Reason;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * An IDX file of unsigned bytes: a magic number that names the number of dimensions, their sizes,
 * then one item after the other. The first dimension counts the items.
 *
 * <p>Not thread-safe.
 */
final class IdxFile implements Closeable {

  /** Type 8, unsigned byte, in the third byte; dimensions in the fourth. */
  private static final int UNSIGNED_BYTES = 0x0800;

  private final Path path;
  private final InputStream in;
  private final int[] sizes;
  private long read;

  private IdxFile(Path path, InputStream in, int dimensions) throws IOException {
    this.path = path;
    this.in = in;
    ByteBuffer header = ByteBuffer.allocate(Integer.BYTES * (1 + dimensions));
    int length = readInto(header.array());
    int magic = header.getInt();
    if (length < header.capacity() || magic != (UNSIGNED_BYTES | dimensions)) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s is no IDX file of unsigned bytes in %s dimension(s): it begins with 0x%08x,"
                  + " expected 0x%08x",
              path,
              dimensions,
              magic,
              UNSIGNED_BYTES | dimensions));
    }
    this.sizes = new int[dimensions];
    for (int i = 0; i < dimensions; i++) {
      sizes[i] = header.getInt();
      if (sizes[i] < 1) {
        throw new IOException(
            "%s: the size of dimension %s is %s, expected 1 or more"
                .formatted(path, i + 1, sizes[i]));
      }
    }
  }

  /** Opens {@code directory/name} or {@code directory/name.gz} and reads its header. */
  static IdxFile open(Path directory, String name, int dimensions) throws IOException {
    Path plain = directory.resolve(name);
    Path compressed = directory.resolve(name + ".gz");
    if (!Files.exists(plain) && !Files.exists(compressed)) {
      throw new IOException(
          "No file %s or %s.gz in %s: idx takes a directory with MNIST-format files"
              .formatted(name, name, directory.toAbsolutePath()));
    }
    Path path = Files.exists(plain) ? plain : compressed;
    InputStream in = FileInput.open(path);
    try {
      return new IdxFile(path, in, dimensions);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  Path path() {
    return path;
  }

  /** Returns how many items the header promises. */
  int count() {
    return sizes[0];
  }

  int size(int dimension) {
    return sizes[dimension];
  }

  /** Reads the next item, which is as long as the array. */
  void next(byte[] item) throws IOException {
    if (readInto(item) < item.length) {
      throw new IOException(
          "%s ends in item %s (counted from 0), its header says %s items: the file is truncated"
              .formatted(path, read, count()));
    }
    read++;
  }

  /** Checks that nothing follows the last item. */
  void expectEnd() throws IOException {
    if (readInto(new byte[1]) != 0) {
      throw new IOException(
          "%s has more than the %s items that its header says".formatted(path, count()));
    }
  }

  private int readInto(byte[] bytes) throws IOException {
    try {
      return in.readNBytes(bytes, 0, bytes.length);
    } catch (EOFException e) {
      return 0;
    } catch (IOException e) {
      throw new IOException("Can't read %s: %s".formatted(path, Reason.of(e)), e);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
