package dev.millrace.exchange.rows;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Counts the uses of ids that have no row yet, in little memory: a count-min sketch (Cormode,
 * Muthukrishnan 2005) with conservative update (Estan, Varghese 2002), in two generations. Once
 * half of the cells of the younger one are taken, it becomes the older one, and the older one is
 * forgotten. So it never fills up.
 *
 * <p>A count is never too low for uses in these two generations: an id is never admitted late,
 * unless so many others came between its uses that they were forgotten. At least an eighth of the
 * cells is the number of ids that a generation holds. A count is too high if all four cells of an
 * id are taken by others; that of an id without a use is above 0 for at most one id of eight.
 * Belongs to one thread.
 */
final class CountingSketch {

  /** A cell is a byte. */
  static final int MOST_USES = 255;

  static final int FEWEST_CELLS = 64;

  private static final int MOST_CELLS = 1 << 24;
  private static final int VERSION = 1;
  private static final int HASHES = 4;

  private byte[] younger;
  private byte[] older;

  /** Cells of the younger generation that aren't 0. */
  private int taken;

  private long turns;

  CountingSketch(int cells) {
    checkCells(cells);
    this.younger = new byte[cells];
    this.older = new byte[cells];
  }

  static void checkCells(int cells) {
    if (Integer.bitCount(cells) != 1 || cells < FEWEST_CELLS || cells > MOST_CELLS) {
      throw new IllegalArgumentException(
          "A counting sketch has %s cells; it must be a power of two from %s to %s"
              .formatted(cells, FEWEST_CELLS, MOST_CELLS));
    }
  }

  /**
   * Counts uses of an id.
   *
   * @param uses at least 1
   * @return how many there are now, at most twice 255: never fewer than in the two generations
   */
  int add(long id, int uses) {
    long hash = RowHash.mix(id ^ RowHash.GOLDEN);
    int start = (int) hash;
    int step = (int) (hash >>> Integer.SIZE) | 1;
    int count = Math.min(MOST_USES, least(younger, start, step) + Math.min(uses, MOST_USES));
    int mask = younger.length - 1;
    for (int i = 0; i < HASHES; i++) {
      int cell = start + i * step & mask;
      int old = younger[cell] & MOST_USES;
      if (old < count) {
        younger[cell] = (byte) count;
        taken += old == 0 ? 1 : 0;
      }
    }
    count += least(older, start, step);
    if (taken > younger.length / 2) {
      turn();
    }
    return count;
  }

  private static int least(byte[] cells, int start, int step) {
    int least = MOST_USES;
    for (int i = 0; i < HASHES; i++) {
      least = Math.min(least, cells[start + i * step & cells.length - 1] & MOST_USES);
    }
    return least;
  }

  private void turn() {
    byte[] forgotten = older;
    older = younger;
    Arrays.fill(forgotten, (byte) 0);
    younger = forgotten;
    taken = 0;
    turns++;
  }

  /** Returns how often a generation was forgotten. */
  long turns() {
    return turns;
  }

  int cells() {
    return younger.length;
  }

  void write(DataOutput out) throws IOException {
    out.writeByte(VERSION);
    out.writeLong(turns);
    BulkArrays.writeBytes(out, younger);
    BulkArrays.writeBytes(out, older);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IOException if the bytes end early, or aren't those of a sketch
   */
  static CountingSketch read(DataInput in) throws IOException {
    WireFormat.readVersion(in, VERSION, CountingSketch.class);
    long turns = in.readLong();
    byte[] younger = BulkArrays.readBytes(in);
    byte[] older = BulkArrays.readBytes(in);
    CountingSketch sketch;
    try {
      sketch = new CountingSketch(younger.length);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    if (older.length != younger.length) {
      throw new IOException(
          "A counting sketch has generations of %s and %s cells"
              .formatted(younger.length, older.length));
    }
    sketch.turns = turns;
    sketch.younger = younger;
    sketch.older = older;
    for (byte cell : younger) {
      sketch.taken += cell == 0 ? 0 : 1;
    }
    return sketch;
  }
}
