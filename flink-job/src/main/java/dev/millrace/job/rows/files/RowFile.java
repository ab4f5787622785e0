package dev.millrace.job.rows.files;

import dev.millrace.example.Excerpt;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * A file of rows of one table, sorted by id: those that have changed in some versions, each with
 * its last values or as removed.
 *
 * @param file its name
 * @param dropped the version up to which removed ids are left out: only who begins with this file,
 *     or has a later version, can do with it; 0 where none is
 * @param from the first version whose changes it has
 * @param to the last one
 * @param rows how many have values
 * @param removed how many ids have no row any more
 * @param bytes of the file
 */
public record RowFile(
    String file,
    long dropped,
    long from,
    long to,
    long rows,
    long removed,
    long bytes,
    Checksums crc32) {

  /** The directory's own files have such names: no manifest may reach others. */
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9_-]{1,200}" + Pattern.quote(RowDirectory.SUFFIX));

  /** More have no room in any file. */
  private static final long MOST_ROWS = 1L << 40;

  public RowFile {
    requireName(file);
    if (rows < 0 || rows > MOST_ROWS || removed < 0 || removed > MOST_ROWS || from > to) {
      throw new IllegalArgumentException(
          "%s has %s rows and %s removed ids of the versions from %s to %s"
              .formatted(file, rows, removed, from, to));
    }
    if (crc32 == null) {
      throw new IllegalArgumentException(file + " has no checksums");
    }
  }

  static void requireName(String file) {
    if (file == null || !NAME.matcher(file).matches()) {
      throw new IllegalArgumentException(
          "%s is no name of a file of rows".formatted(Excerpt.of(String.valueOf(file))));
    }
  }

  /** CRC-32 of each tensor's bytes. */
  public record Checksums(long id, long removed, long values) {}

  /** Returns what a file is of that isn't written yet. */
  static RowFile plan(String file, long dropped, long from, long to) {
    return new RowFile(file, dropped, from, to, 0, 0, 0, new Checksums(0, 0, 0));
  }

  /** Returns where the first tensor begins: behind the header, whose length isn't asked for. */
  long begin(int dimension) throws IOException {
    long row = Long.BYTES + (long) dimension * Float.BYTES;
    long begin = Math.subtractExact(bytes - removed * Long.BYTES, Math.multiplyExact(rows, row));
    if (begin < 0) {
      throw new IOException(
          "%s is too short for %s rows of %s values and %s removed ids: it has %s bytes"
              .formatted(file, rows, dimension, removed, bytes));
    }
    return begin;
  }
}
