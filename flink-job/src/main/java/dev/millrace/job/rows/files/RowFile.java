package dev.millrace.job.rows.files;

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

  /** CRC-32 of each tensor's bytes. */
  public record Checksums(long id, long removed, long values) {}

  /** Returns what a file is of that isn't written yet. */
  static RowFile plan(String file, long dropped, long from, long to) {
    return new RowFile(file, dropped, from, to, 0, 0, 0, new Checksums(0, 0, 0));
  }

  /** Returns where the first tensor begins: behind the header, whose length isn't asked for. */
  long begin(int dimension) {
    return bytes - (rows + removed) * Long.BYTES - rows * dimension * Float.BYTES;
  }
}
