package dev.millrace.exchange.rows;

import java.io.Serializable;

/**
 * Says when an id gets a row. Until then it reads its initial values, and its gradients are
 * dropped.
 *
 * @param uses with which use a row is made; 1 for the first. The uses before are counted by a
 *     {@link CountingSketch}, so a row may come early, and late only as said there
 * @param cells of the sketch of a key group, a power of two; a cell takes two bytes of state
 */
public record Admission(int uses, int cells) implements Serializable {

  /** A row for each id, with its first use. */
  public static final Admission AT_ONCE = new Admission(1, CountingSketch.FEWEST_CELLS);

  private static final int CELLS = 1 << 15;

  public Admission {
    if (uses < 1 || uses > CountingSketch.MOST_USES) {
      throw new IllegalArgumentException(
          "Rows are admitted after %s uses; it must be 1 to %s"
              .formatted(uses, CountingSketch.MOST_USES));
    }
    CountingSketch.checkCells(cells);
  }

  /** A row with that use, counted by a sketch of 64 KiB for each key group. */
  public static Admission after(int uses) {
    return uses == 1 ? AT_ONCE : new Admission(uses, CELLS);
  }
}
