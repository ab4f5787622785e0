package dev.millrace.job.testing;

import java.io.IOException;
import java.net.URI;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** This machine's files under another scheme, as those of an object store are. */
public final class ElsewhereFileSystem implements FileSystemFactory {

  public static final String SCHEME = "elsewhere";

  /** A directory of this name lets nobody write, not even root. */
  public static final String READ_ONLY = "read-only";

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileSystem create(URI uri) {
    return new Elsewhere();
  }

  /** Opens what isn't there, and fails when it is read, as Flink's plugin for S3 does. */
  private static final class Elsewhere extends LocalFileSystem {

    @Override
    public URI getUri() {
      return URI.create(SCHEME + ":///");
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
      if (path.getParent().getName().equals(READ_ONLY)) {
        throw new IOException("Access Denied: " + path);
      }
      return super.create(path, mode);
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
      return exists(path) ? super.open(path) : new Missing(path);
    }
  }

  private static final class Missing extends FSDataInputStream {

    private final Path path;

    Missing(Path path) {
      this.path = path;
    }

    @Override
    public int read() throws IOException {
      throw new IOException("The specified key does not exist: " + path);
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      return read();
    }

    @Override
    public void seek(long position) {
      // Nothing is read from there.
    }

    @Override
    public long getPos() {
      return 0;
    }
  }
}
