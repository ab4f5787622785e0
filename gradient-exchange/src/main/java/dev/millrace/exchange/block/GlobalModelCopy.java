package dev.millrace.exchange.block;

import dev.millrace.model.BlockLayout;

/**
 * A receiver's copy of the global blocks, which changes are added to. Only needed where the
 * exchange tells of changes; it takes one model's worth of memory then.
 *
 * <p>Not thread-safe; the updates that it gives out are never touched again.
 */
public final class GlobalModelCopy {

  private final BlockLayout layout;
  private final boolean changes;
  private final BlockUpdate[] newest;
  private float[] scratch = new float[0];

  /** {@code changes} says whether changes will come, and not only whole blocks. */
  public GlobalModelCopy(boolean changes, BlockLayout layout) {
    this.layout = layout;
    this.changes = changes;
    this.newest = new BlockUpdate[layout.count()];
  }

  /**
   * The block as it is now.
   *
   * @throws IllegalStateException if a change isn't of what came before
   */
  public BlockUpdate take(Feedback feedback) {
    BlockUpdate update =
        feedback instanceof BlockChange change
            ? changed(newest[change.block()], change)
            : (BlockUpdate) feedback;
    if (changes) {
      newest[update.block()] = update;
    }
    return update;
  }

  private BlockUpdate changed(BlockUpdate before, BlockChange change) {
    if (before == null || before.round() != change.base()) {
      throw new IllegalStateException(
          "Block %s is known at round %s, and its change is since round %s"
              .formatted(change.block(), before == null ? "none" : before.round(), change.base()));
    }
    float[] values = before.values();
    if (scratch.length < values.length) {
      scratch = new float[values.length];
    }
    return new BlockUpdate(
        change.block(),
        change.round(),
        FeedbackEncoder.add(change.payload(), values, scratch, layout, change.block()));
  }
}
