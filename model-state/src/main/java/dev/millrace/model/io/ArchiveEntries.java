package dev.millrace.model.io;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * The entries of a zip archive that others may have made: bounded in number and size, and held to
 * their checksums, which Java's {@link ZipFile} doesn't look at. To read all of them takes time in
 * proportion to the file's length: no two share bytes of it.
 */
public final class ArchiveEntries implements AutoCloseable {

  /** TorchScript has one a tensor. */
  private static final int MOST_ENTRIES = 20_000;

  private static final int MOST_BYTES = 64 << 20;
  private static final int BUFFER = 1 << 16;

  /**
   * All entries may have so much together, and so many times the file's length. Weights hardly get
   * smaller, and updater state that is all zeros is at most a few times as long.
   */
  private static final long MOST_INFLATED = 64L << 20;

  private static final int MOST_INFLATION = 50;

  /**
   * Takes an entry's content.
   *
   * @param <T> what is made of it
   */
  @FunctionalInterface
  public interface Content<T> {

    /** Reads it from its beginning; fails with a message that stands behind the entry's name. */
    T read(DataInputStream in) throws IOException;
  }

  private final ZipFile zip;

  private ArchiveEntries(ZipFile zip) {
    this.zip = zip;
  }

  /**
   * Reads what entries there are.
   *
   * @throws IOException if it is no zip archive, cut off, or of more entries than a model's; the
   *     message doesn't name it
   */
  public static ArchiveEntries open(Path file) throws IOException {
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
    try {
      requireBounded(zip, Files.size(file));
    } catch (IOException e) {
      zip.close();
      throw e;
    }
    return new ArchiveEntries(zip);
  }

  private static void requireBounded(ZipFile zip, long length) throws IOException {
    if (zip.size() > MOST_ENTRIES) {
      throw new IOException(
          "it has %s entries, and a model's archive at most %s"
              .formatted(zip.size(), MOST_ENTRIES));
    }
    long left = length;
    long most = MOST_INFLATED + MOST_INFLATION * length;
    long inflated = most;
    for (ZipEntry entry : zip.stream().toList()) {
      // A few bytes may be the content of a thousand entries.
      left -= bounded(entry.getCompressedSize(), length);
      if (left < 0) {
        throw new IOException(
            "its entries are longer together than the file's %s bytes".formatted(length));
      }
      inflated -= bounded(entry.getSize(), most);
      if (inflated < 0) {
        throw new IOException(
            "with its entry %s its entries have more than %s bytes, and the file has only %s"
                .formatted(entry.getName(), most, length));
      }
    }
  }

  /** A size that an archive tells; of one that makes no sense, more than there may be. */
  private static long bounded(long size, long most) {
    return size < 0 || size > most ? most + 1 : size;
  }

  /** The names of all entries, in the archive's order. */
  public List<String> names() {
    return zip.stream().map(ZipEntry::getName).distinct().toList();
  }

  /** The first entry of that name, whatever folder it is in; empty if there is none. */
  public Optional<String> find(String name) {
    return names().stream()
        .filter(other -> other.equals(name) || other.endsWith("/" + name))
        .findFirst();
  }

  /** Whether there is such an entry. */
  public boolean has(String name) {
    return zip.getEntry(name) != null;
  }

  /**
   * All of an entry that must be there, and may be 64 MB long.
   *
   * @throws IOException if it isn't there, is longer, or isn't what was written
   */
  public byte[] require(String name) throws IOException {
    return bytes(name).orElseThrow(() -> new IOException("it has no entry " + name));
  }

  /**
   * All of an entry, which may be 64 MB long; empty if there is none.
   *
   * @throws IOException if it is longer, or isn't what was written
   */
  public Optional<byte[]> bytes(String name) throws IOException {
    return bytes(name, MOST_BYTES);
  }

  /**
   * All of an entry; empty if there is none.
   *
   * @throws IOException if it is longer than {@code most} bytes, or isn't what was written
   */
  public Optional<byte[]> bytes(String name, int most) throws IOException {
    if (!has(name)) {
      return Optional.empty();
    }
    return Optional.of(
        read(
            name,
            in -> {
              byte[] bytes = in.readNBytes(most);
              if (in.read() >= 0) {
                throw new IOException("it is longer than %s bytes".formatted(most));
              }
              return bytes;
            }));
  }

  /**
   * Returns how many bytes an entry that is there has at most: it is held to the size that it
   * tells.
   */
  public long mostBytes(String name) {
    return zip.getEntry(name).getSize();
  }

  /**
   * Returns the most bytes that an entry which is compressed may have when it is read; 0 for one
   * that isn't compressed.
   */
  public long mostInflatedBytes(String name) {
    return zip.getEntry(name).getMethod() == ZipEntry.STORED ? 0 : mostBytes(name);
  }

  /**
   * Reads all entries, and keeps nothing of them.
   *
   * @throws IOException if one ends early or isn't what was written; the message names it
   */
  public void requireWhole() throws IOException {
    for (String name : names()) {
      read(name, in -> in.transferTo(OutputStream.nullOutputStream()));
    }
  }

  /**
   * Reads an entry that is there.
   *
   * @throws IOException if it ends early, goes on behind what was read, or isn't what was written;
   *     the message names the entry
   */
  public <T> T read(String name, Content<T> content) throws IOException {
    ZipEntry entry = zip.getEntry(name);
    CRC32 checksum = new CRC32();
    try (InputStream raw = open(entry);
        DataInputStream in =
            new DataInputStream(
                new BufferedInputStream(new CheckedInputStream(raw, checksum), BUFFER))) {
      T read = content.read(in);
      if (in.read() >= 0) {
        throw new IOException("it has bytes behind its content");
      }
      if (entry.getCrc() >= 0 && entry.getCrc() != checksum.getValue()) {
        throw new IOException("its checksum doesn't match");
      }
      return read;
    } catch (EOFException e) {
      throw damaged(name, "it ends early", e);
    } catch (IOException | RuntimeException e) {
      throw damaged(name, Reason.of(e), e);
    }
  }

  /**
   * Reads the beginning of an entry that is there; whether all of it is whole isn't looked at.
   *
   * @throws IOException if it ends early, or as {@code content} does; the message names the entry
   */
  public <T> T peek(String name, Content<T> content) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(open(zip.getEntry(name))))) {
      return content.read(in);
    } catch (EOFException e) {
      throw damaged(name, "it ends early", e);
    } catch (IOException | RuntimeException e) {
      throw damaged(name, Reason.of(e), e);
    }
  }

  private InputStream open(ZipEntry entry) throws IOException {
    return new SizedStream(zip.getInputStream(entry), entry.getSize());
  }

  private static IOException damaged(String name, String why, Exception cause) {
    return new IOException("its entry %s can't be used: %s".formatted(name, why), cause);
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
