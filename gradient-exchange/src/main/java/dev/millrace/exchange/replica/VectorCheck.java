package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.ValueBounds;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelReplica;

/**
 * Looks whether a replica's values may be contributed and kept: {@linkplain ValueBounds sound}, and
 * not too far from the anchor.
 *
 * <p>Changes nothing. Not thread-safe.
 */
final class VectorCheck {

  private final ModelReplica model;
  private final BlockLayout layout;
  private final Anchor anchor;
  private final Divergence divergence;
  private final float[] block;

  /**
   * @param divergence is measured of what is looked at
   * @param block room for a block
   */
  VectorCheck(
      ModelReplica model, BlockLayout layout, Anchor anchor, Divergence divergence, float[] block) {
    this.model = model;
    this.layout = layout;
    this.anchor = anchor;
    this.divergence = divergence;
    this.block = block;
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
    for (int b = 0; b < layout.count(); b++) {
      int offset = layout.offset(b);
      int size = layout.size(b);
      model.read(offset, block, 0, size);
      if (!ValueBounds.areSound(block, size)) {
        return false;
      }
      divergence.add(block, anchor.of(b), offset, size);
    }
    return !divergence.exceeds(mostChange);
  }

  /** Whether the values that aren't exchanged are sound: they are in checkpoints, too. */
  boolean isRestSound() {
    int length = model.spec().vectorLength();
    for (int from = layout.length(); from < length; from += block.length) {
      int size = Math.min(block.length, length - from);
      model.read(from, block, 0, size);
      if (!ValueBounds.areSound(block, size)) {
        return false;
      }
    }
    return true;
  }
}
