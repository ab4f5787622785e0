package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.ValueBounds;

/**
 * Looks whether a replica's values may be contributed and kept: {@linkplain ValueBounds sound}, and
 * not too far from the anchor.
 *
 * <p>Changes nothing. Not thread-safe.
 */
final class VectorCheck {

  private final VectorBlocks blocks;
  private final Anchor anchor;
  private final Divergence divergence;

  /**
   * @param divergence is measured of what is looked at
   */
  VectorCheck(VectorBlocks blocks, Anchor anchor, Divergence divergence) {
    this.blocks = blocks;
    this.anchor = anchor;
    this.divergence = divergence;
  }

  /**
   * Whether all exchanged values are sound, and the parameters' {@link Divergence} from the anchor
   * is no more than {@code mostChange}.
   */
  boolean isSound(double mostChange) {
    if (anchor.isClean()) {
      return true;
    }
    divergence.begin();
    for (int b = 0; b < blocks.count(); b++) {
      int size = blocks.size(b);
      float[] block = blocks.read(b);
      if (!ValueBounds.areSound(block, size)) {
        return false;
      }
      divergence.add(block, anchor.of(b), blocks.offset(b), size);
    }
    return !divergence.exceeds(mostChange);
  }

  /** Whether the values that aren't exchanged are sound: they are in checkpoints, too. */
  boolean isRestSound() {
    for (int piece = 0; piece < blocks.restPieces(); piece++) {
      if (!ValueBounds.areSound(blocks.readRest(piece), blocks.restSize(piece))) {
        return false;
      }
    }
    return true;
  }
}
