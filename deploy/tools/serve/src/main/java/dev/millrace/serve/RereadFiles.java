package dev.millrace.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that one of a few small files has changed, by what is in it: a mounted secret is replaced
 * by links, and its times tell nothing.
 *
 * <p>Belongs to one thread at a time.
 */
final class RereadFiles {

  private static final Logger LOG = LoggerFactory.getLogger(RereadFiles.class);

  /** Makes something of the files. */
  interface Reading {

    /**
     * Reads the files.
     *
     * @throws IOException if they can't be read or fit, saying why; what was read before stays
     */
    void read() throws IOException;
  }

  private final List<Path> files;
  private final Reading reading;
  private byte[] digest;
  private String lastWarning = "";

  private RereadFiles(List<Path> files, Reading reading) {
    this.files = files;
    this.reading = reading;
  }

  /**
   * Reads the files for the first time.
   *
   * @throws IOException if that fails
   */
  static RereadFiles read(List<Path> files, Reading reading) throws IOException {
    RereadFiles reread = new RereadFiles(files, reading);
    // Before they are read: what changes meanwhile is read again.
    reread.digest = reread.digest();
    reading.read();
    return reread;
  }

  /** Reads them again if one has changed. */
  void look() {
    try {
      byte[] now = digest();
      if (Arrays.equals(now, digest)) {
        return;
      }
      digest = now;
      reading.read();
      lastWarning = "";
      LOG.info("{} have changed and are in use", files);
    } catch (IOException e) {
      if (!lastWarning.equals(e.getMessage())) {
        lastWarning = String.valueOf(e.getMessage());
        LOG.warn(
            "{} can't be read again; what they had before stays in use: {}", files, e.getMessage());
      }
    }
  }

  private static byte[] bytes(Path file) throws IOException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IOException("%s can't be read; put it back".formatted(file), e);
    }
  }

  private byte[] digest() throws IOException {
    try {
      MessageDigest all = MessageDigest.getInstance("SHA-256");
      for (Path file : files) {
        byte[] bytes = bytes(file);
        all.update((byte) bytes.length);
        all.update(bytes);
      }
      return all.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
