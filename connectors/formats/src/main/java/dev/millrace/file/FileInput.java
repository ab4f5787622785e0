package dev.millrace.file;

import dev.millrace.model.io.Reason;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** Opens files that may be compressed with gzip, which is told by their first bytes. */
final class FileInput {

  private static final int BUFFER = 1 << 16;
  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;

  /**
   * Stands for bytes that are no text. Unicode keeps it out of texts, unlike the usual U+FFFD,
   * which earlier programs may have left in a file.
   */
  private static final char NO_TEXT = '\uffff';

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private FileInput() {}

  /** The file's content, decompressed and buffered. */
  static InputStream open(Path file) throws IOException {
    requireFile(file);
    return decompressed(file);
  }

  /**
   * The file's text, of {@link #content}. One byte that isn't UTF-8 is a matter of its row, which
   * {@link #isText} tells, and the rows behind it can be read.
   */
  static BufferedReader text(Path file) throws IOException {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .replaceWith(String.valueOf(NO_TEXT));
    return new BufferedReader(new InputStreamReader(content(file), decoder));
  }

  /** Whether a part of the text stands for bytes that are UTF-8. */
  static boolean isText(String part) {
    return part.indexOf(NO_TEXT) < 0;
  }

  /** The file's bytes, decompressed and buffered, without a byte order mark. */
  static InputStream content(Path file) throws IOException {
    InputStream in = decompressed(file);
    try {
      in.mark(BYTE_ORDER_MARK.length);
      if (!Arrays.equals(in.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
        in.reset();
      }
      return in;
    } catch (IOException e) {
      in.close();
      throw unreadable(file, e);
    }
  }

  /** Checks that a file can be read more than once, as a pipe can't be. */
  static void requireFile(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(
          Files.exists(file)
              ? "%s is not a file: name the file itself".formatted(file)
              : "No file %s: check its path".formatted(file.toAbsolutePath()));
    }
  }

  private static InputStream decompressed(Path file) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    try {
      raw.mark(2);
      boolean gzip = raw.read() == GZIP_FIRST && raw.read() == GZIP_SECOND;
      raw.reset();
      return gzip ? new BufferedInputStream(new GZIPInputStream(raw, BUFFER), BUFFER) : raw;
    } catch (IOException e) {
      raw.close();
      throw unreadable(file, e);
    }
  }

  private static IOException unreadable(Path file, IOException cause) {
    return new IOException("Can't read %s: %s".formatted(file, Reason.of(cause)), cause);
  }
}
