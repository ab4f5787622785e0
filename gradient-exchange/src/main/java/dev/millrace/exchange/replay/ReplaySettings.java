package dev.millrace.exchange.replay;

import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.ReplicaHookFactory;

/**
 * Which examples replicas keep, and how they learn from them again.
 *
 * @param size examples that each replica keeps, at least 1
 * @param keep which ones
 * @param share of a full step's examples that are replayed, below 1
 * @param age how much less older ones count in the loss
 * @param distillation what the model's prediction of an example counts in the label that it is kept
 *     with, below 0.5
 * @param seed of what is drawn
 */
public record ReplaySettings(
    int size, Keep keep, double share, HalfLife age, double distillation, long seed)
    implements ReplicaHookFactory {

  /** A share of 0.8 is exactly 4 for each fresh one, whatever floating point makes of it. */
  private static final double EXACT = 1e9;

  public ReplaySettings {
    if (size < 1 || !(share >= 0 && share < 1) || !(distillation >= 0 && distillation < 0.5)) {
      throw new IllegalArgumentException(
          "%s examples, a share of %s and a distillation of %s"
              .formatted(size, share, distillation));
    }
  }

  /** Replayed examples for each fresh one. */
  double ratio() {
    return Math.rint(share / (1 - share) * EXACT) / EXACT;
  }

  @Override
  public int mostRows(int fresh) {
    return (int) Math.min(size, Math.ceil(fresh * ratio()));
  }

  @Override
  public boolean usesTimes() {
    return age.byTime();
  }

  @Override
  public Replay hook(HookContext context) {
    return new Replay(this, context.model().spec().shape(), context.index(), context.readers());
  }
}
