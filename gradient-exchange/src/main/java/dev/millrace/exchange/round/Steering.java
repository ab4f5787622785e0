package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * What the coordinator has all replicas do from a round on. It alone decides that, so all replicas
 * do it in the same round. The numbers only ever grow: a replica that has followed a lower one
 * still has to follow.
 *
 * @param rate what learning rates are multiplied by, beside all else that they are
 * @param resets how often updaters were to start anew
 * @param anchors how often replicas were to take the global model for an anchor
 * @param steps what the number of local steps between contributions is multiplied by
 */
public record Steering(double rate, int resets, int anchors, double steps) implements Serializable {

  /** Training as it is configured. */
  public static final Steering NONE = new Steering(1, 0, 0, 1);

  public Steering {
    if (!(rate > 0) || !(steps > 0) || rate + steps == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "Learning rates and local steps are multiplied by finite numbers above 0, not %s and %s"
              .formatted(rate, steps));
    }
  }

  /** So many local steps as it makes of those of the schedule: one at least. */
  public int localSteps(int ofSchedule) {
    return steps == 1 ? ofSchedule : (int) Math.max(1, Math.round(ofSchedule * steps));
  }

  void write(DataOutput out) throws IOException {
    out.writeDouble(rate);
    out.writeInt(resets);
    out.writeInt(anchors);
    out.writeDouble(steps);
  }

  static Steering read(DataInput in) throws IOException {
    return new Steering(in.readDouble(), in.readInt(), in.readInt(), in.readDouble());
  }
}
