package dev.millrace.file;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Opens files that may be compressed with gzip, which is told by their first bytes. */
final class FileInput {

  private static final int BUFFER = 1 << 16;
  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;

  private FileInput() {}

  /** The file's content, decompressed and buffered. */
  static InputStream open(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(
          Files.exists(file)
              ? "%s is not a file: name the file itself".formatted(file)
              : "No file %s: check its path".formatted(file.toAbsolutePath()));
    }
    InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    try {
      raw.mark(2);
      boolean gzip = raw.read() == GZIP_FIRST && raw.read() == GZIP_SECOND;
      raw.reset();
      return gzip ? new BufferedInputStream(new GZIPInputStream(raw, BUFFER), BUFFER) : raw;
    } catch (IOException e) {
      raw.close();
      throw new IOException("Can't read %s: %s".formatted(file, e.getMessage()), e);
    }
  }
}
