package dev.millrace.model.torch;

import dev.millrace.model.io.ArchiveEntries;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a zip of stored entries, since weights don't get smaller by compression, and keeps the
 * hash of each. The same entries make the same bytes.
 */
final class HashedZip implements AutoCloseable {

  /** Writes an entry's content, the same each time, and leaves the stream open. */
  @FunctionalInterface
  interface Content {
    void writeTo(DataOutputStream out) throws IOException;
  }

  /** A time of the first month that Java writes without a time zone. */
  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

  private final ZipOutputStream zip;
  private final String root;
  private final SortedMap<String, String> hashes = new TreeMap<>();

  /**
   * @param root the folder of all entries
   */
  HashedZip(Path file, String root) throws IOException {
    zip = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
    this.root = root;
  }

  void copy(ArchiveEntries from, String name, String to) throws IOException {
    add(to, out -> from.read(name, in -> in.transferTo(out)));
  }

  void add(String name, Content content) throws IOException {
    MessageDigest digest = ArchiveHashes.digest();
    CRC32 checksum = new CRC32();
    long length;
    // A stored entry says beforehand how long it is.
    try (DigestOutputStream hashed =
            new DigestOutputStream(OutputStream.nullOutputStream(), digest);
        LengthStream counted = new LengthStream(new CheckedOutputStream(hashed, checksum));
        DataOutputStream out = new DataOutputStream(counted)) {
      content.writeTo(out);
      out.flush();
      length = counted.length;
    }
    ZipEntry entry = entry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(length);
    entry.setCrc(checksum.getValue());
    zip.putNextEntry(entry);
    DataOutputStream out = new DataOutputStream(zip);
    content.writeTo(out);
    out.flush();
    hashes.put(name, HexFormat.of().formatHex(digest.digest()));
  }

  /** Lists all entries so far. */
  void addHashes(String name) throws IOException {
    zip.putNextEntry(entry(name));
    zip.write(ArchiveHashes.write(hashes));
  }

  private ZipEntry entry(String name) {
    ZipEntry entry = new ZipEntry(root + name);
    entry.setTimeLocal(NO_TIME);
    return entry;
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }

  private static final class LengthStream extends FilterOutputStream {

    private long length;

    private LengthStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      length++;
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      out.write(bytes, from, count);
      length += count;
    }
  }
}
