package dev.millrace.exchange.replica;

import java.util.Arrays;
import java.util.Objects;

/**
 * What the global model knows of a replica's exchanged values, block by block. While it is
 * {@linkplain #isClean clean} that is the values themselves, and nothing is kept of them.
 *
 * <p>Not thread-safe.
 */
final class Anchor {

  private final VectorBlocks blocks;

  /**
   * Holds what is known of each block; null where that is the values, until these are about to
   * change. Arrays of {@code own}, or values of updates, which others hold, too.
   */
  private final float[][] known;

  /** Made when they are needed: a schedule that waits never does, unless its codec is lossy. */
  private final float[][] own;

  private boolean clean = true;

  Anchor(VectorBlocks blocks) {
    this.blocks = blocks;
    this.known = new float[blocks.count()][];
    this.own = new float[blocks.count()][];
  }

  /** Whether values and anchor are the same, bit by bit. */
  boolean isClean() {
    return clean;
  }

  /** The values are about to change: keeps what they are now, where nothing else does. */
  void keep() {
    if (clean) {
      for (int b = 0; b < known.length; b++) {
        if (known[b] == null) {
          known[b] = own(b);
          blocks.read(b, known[b], 0);
        }
      }
      clean = false;
    }
  }

  /** Returns what is known of a block, never to be changed; only while this isn't clean. */
  float[] of(int block) {
    return known[block];
  }

  /** An array of this anchor's own, which takes the place of what was known of the block. */
  float[] replace(int block) {
    known[block] = own(block);
    return known[block];
  }

  private float[] own(int block) {
    if (own[block] == null) {
      own[block] = new float[blocks.size(block)];
    }
    return own[block];
  }

  /** Keeps the values of a global block as what is known of it; they must never change. */
  void take(int block, float[] global) {
    known[block] = global;
  }

  /** The values are what is known now, of all blocks. */
  void moveToValues() {
    Arrays.fill(known, null);
    clean = true;
  }

  /** Whether values and anchor are the same now, as whoever has changed both has found. */
  void setClean(boolean same) {
    clean = same;
  }

  /** Writes all that is known into the model. */
  void restoreValues() {
    if (!clean) {
      for (int b = 0; b < known.length; b++) {
        blocks.write(b, known[b]);
      }
      clean = true;
    }
  }

  /**
   * The values have been replaced; this is known of their blocks.
   *
   * @param saved by block; null where that is the values
   */
  void restore(float[][] saved) {
    moveToValues();
    if (Arrays.stream(saved).anyMatch(Objects::nonNull)) {
      System.arraycopy(saved, 0, known, 0, known.length);
      keep();
    }
  }

  /**
   * Returns what is known of a block, in an array that stays as it is; only while this isn't clean.
   */
  float[] save(int block) {
    return known[block] == own[block] ? known[block].clone() : known[block];
  }
}
