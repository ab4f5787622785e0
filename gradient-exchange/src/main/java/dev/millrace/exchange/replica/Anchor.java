package dev.millrace.exchange.replica;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelReplica;
import java.util.Arrays;

/**
 * What the global model knows of a replica's exchanged values, block by block. While it is
 * {@linkplain #isClean clean} that is the values themselves, and nothing is kept of them.
 *
 * <p>Not thread-safe.
 */
final class Anchor {

  private final ModelReplica model;
  private final BlockLayout layout;

  /**
   * Of each block what is known; null where that is the values, until these are about to change.
   * Arrays of {@code own}, or values of updates, which others hold, too.
   */
  private final float[][] known;

  /** Made when they are needed: a schedule that waits never does, unless its codec is lossy. */
  private final float[][] own;

  private boolean clean = true;

  Anchor(ModelReplica model, BlockLayout layout) {
    this.model = model;
    this.layout = layout;
    this.known = new float[layout.count()][];
    this.own = new float[layout.count()][];
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
          model.read(layout.offset(b), known[b], 0, layout.size(b));
        }
      }
      clean = false;
    }
  }

  /** What is known of a block, never to be changed; only while this isn't clean. */
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
      own[block] = new float[layout.size(block)];
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
        model.write(layout.offset(b), known[b], 0, layout.size(b));
      }
      clean = true;
    }
  }

  /**
   * All blocks, in arrays that stay as they are.
   *
   * @param values of the model as they are now
   */
  float[][] save(float[] values) {
    float[][] saved = new float[known.length][];
    for (int b = 0; b < saved.length; b++) {
      saved[b] = saved(b, values);
    }
    return saved;
  }

  private float[] saved(int b, float[] values) {
    if (known[b] == null) {
      int offset = layout.offset(b);
      return Arrays.copyOfRange(values, offset, offset + layout.size(b));
    }
    return known[b] == own[b] ? known[b].clone() : known[b];
  }

  /** Continues from an anchor in one array. */
  void restore(float[] saved, boolean savedClean) {
    for (int b = 0; b < known.length; b++) {
      System.arraycopy(saved, layout.offset(b), replace(b), 0, layout.size(b));
    }
    clean = savedClean;
  }
}
