package dev.millrace.model.dl4j;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * The entries of a zip archive that others may have made: bounded in number and size, and held to
 * their checksums, which Java's {@link ZipFile} doesn't look at.
 */
final class ArchiveEntries implements AutoCloseable {

  private static final int MOST_ENTRIES = 1000;
  private static final int MOST_BYTES = 64 << 20;
  private static final int BUFFER = 1 << 16;

  /** Takes an entry's content. */
  @FunctionalInterface
  interface Content<T> {
    T read(DataInputStream in) throws IOException;
  }

  private final ZipFile zip;

  private ArchiveEntries(ZipFile zip) {
    this.zip = zip;
  }

  /**
   * @throws IOException if it is no zip archive, or cut off; the message doesn't name it
   */
  static ArchiveEntries open(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    if (Files.isDirectory(file)) {
      throw new IOException("it is a directory");
    }
    ZipFile zip;
    try {
      zip = new ZipFile(file.toFile());
    } catch (ZipException e) {
      throw new IOException("it is cut off, or no zip archive (%s)".formatted(e.getMessage()), e);
    }
    int size = zip.size();
    if (size > MOST_ENTRIES) {
      zip.close();
      throw new IOException(
          "it has %d entries, and a model's archive at most %d".formatted(size, MOST_ENTRIES));
    }
    return new ArchiveEntries(zip);
  }

  boolean has(String name) {
    return zip.getEntry(name) != null;
  }

  /** All of an entry that must be there. */
  byte[] require(String name) throws IOException {
    return bytes(name).orElseThrow(() -> new FileNotFoundException("it has no entry " + name));
  }

  /** All of an entry, which may be 64 MB long. */
  Optional<byte[]> bytes(String name) throws IOException {
    if (!has(name)) {
      return Optional.empty();
    }
    return Optional.of(
        read(
            name,
            in -> {
              byte[] bytes = in.readNBytes(MOST_BYTES);
              if (in.read() >= 0) {
                throw new IOException("it is longer than %d bytes".formatted(MOST_BYTES));
              }
              return bytes;
            }));
  }

  /**
   * Reads an entry that is there.
   *
   * @throws IOException if it ends early, goes on behind what was read, or isn't what was written;
   *     the message names the entry
   */
  <T> T read(String name, Content<T> content) throws IOException {
    ZipEntry entry = zip.getEntry(name);
    CRC32 checksum = new CRC32();
    try (InputStream raw = zip.getInputStream(entry);
        DataInputStream in =
            new DataInputStream(
                new BufferedInputStream(new CheckedInputStream(raw, checksum), BUFFER))) {
      T read = content.read(in);
      if (in.read() >= 0) {
        throw new IOException("it goes on behind its content");
      }
      if (entry.getCrc() >= 0 && entry.getCrc() != checksum.getValue()) {
        throw new IOException("its checksum doesn't match");
      }
      return read;
    } catch (EOFException e) {
      throw damaged(name, "it ends early", e);
    } catch (IOException | RuntimeException e) {
      throw damaged(name, e.getMessage(), e);
    }
  }

  /** Reads the beginning of an entry that is there; whether all of it is whole isn't looked at. */
  <T> T peek(String name, Content<T> content) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(zip.getInputStream(zip.getEntry(name))))) {
      return content.read(in);
    } catch (EOFException e) {
      throw damaged(name, "it ends early", e);
    } catch (IOException | RuntimeException e) {
      throw damaged(name, e.getMessage(), e);
    }
  }

  private static IOException damaged(String name, String why, Exception cause) {
    return new IOException("its entry %s can't be used: %s".formatted(name, why), cause);
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
