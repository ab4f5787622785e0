package dev.millrace.exchange.replay;

import dev.millrace.model.ExampleShape;
import java.io.Serializable;

/**
 * Which examples replicas keep, and how they learn from them again.
 *
 * @param size examples that each replica keeps; 0 for none
 * @param keep which ones
 * @param share of a full step's examples that are replayed, below 1
 * @param age how much less older ones count in the loss
 * @param distillation what the model's prediction of an example counts in the label that it is kept
 *     with, below 0.5
 * @param seed of what is drawn
 */
public record ReplaySettings(
    int size, Keep keep, double share, HalfLife age, double distillation, long seed)
    implements Serializable {

  /** Nothing is replayed. */
  public static final ReplaySettings NONE =
      new ReplaySettings(0, Keep.RESERVOIR, 0, HalfLife.NONE, 0, 0);

  /** A share of 0.8 is exactly 4 for each fresh one, whatever floating point makes of it. */
  private static final double EXACT = 1e9;

  public ReplaySettings {
    if (size < 0 || !(share >= 0 && share < 1) || !(distillation >= 0 && distillation < 0.5)) {
      throw new IllegalArgumentException(
          "%s examples, a share of %s and a distillation of %s"
              .formatted(size, share, distillation));
    }
  }

  /** Whether anything is replayed. */
  public boolean isOn() {
    return size > 0;
  }

  /** Replayed examples for each fresh one. */
  double ratio() {
    return Math.rint(share / (1 - share) * EXACT) / EXACT;
  }

  /** The most replayed rows of a step with so many fresh ones. */
  public int mostRows(int fresh) {
    return isOn() ? (int) Math.min(size, Math.ceil(fresh * ratio())) : 0;
  }

  /**
   * Makes the buffer that replays to one replica; it is empty.
   *
   * @param index number of the replica
   * @param replicas how many there are
   */
  public Replay replay(ExampleShape shape, int index, int replicas) {
    return isOn() ? new Replay(this, shape, index, replicas) : Replay.NONE;
  }
}
