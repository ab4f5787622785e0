package dev.millrace.exchange.replica;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelReplica;

/**
 * Shortens changes of the parameters that are too long, so that no contribution counts for much
 * more than others, whatever is in its examples (Sun et al. 2019). Their direction stays. What is
 * cut off is lost, by intent.
 *
 * <p>Not thread-safe.
 */
final class ChangeClip {

  private final ModelReplica model;
  private final BlockLayout layout;
  private final Anchor anchor;
  private final float[] block;

  /**
   * Nothing is clipped yet.
   *
   * @param block room for a block
   */
  ChangeClip(ModelReplica model, BlockLayout layout, Anchor anchor, float[] block) {
    this.model = model;
    this.layout = layout;
    this.anchor = anchor;
    this.block = block;
  }

  /** Multiplies the change of all parameters by a factor; that of updater state stays. */
  void scale(double factor) {
    int parameters = model.spec().parameters();
    for (int b = 0; b < layout.count() && layout.offset(b) < parameters; b++) {
      int offset = layout.offset(b);
      int size = Math.min(layout.size(b), parameters - offset);
      model.read(offset, block, 0, size);
      BlockArithmetic.scaleChange(block, anchor.of(b), (float) factor, size);
      model.write(offset, block, 0, size);
    }
  }
}
