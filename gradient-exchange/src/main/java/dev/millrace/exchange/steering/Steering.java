package dev.millrace.exchange.steering;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * What the coordinator has all replicas do from a round on. It alone decides that, so all replicas
 * do it in the same round.
 *
 * @param changes how often the stream was found to have changed. The number only ever grows: a
 *     replica that has followed a lower one still has to follow
 * @param steps what the number of local steps between contributions is multiplied by
 * @param batch what the number of examples of a minibatch is multiplied by
 */
public record Steering(int changes, double steps, double batch) implements Serializable {

  /** Training as it is configured. */
  public static final Steering NONE = new Steering(0, 1, 1);

  public Steering {
    if (!(steps > 0) || !(batch > 0) || steps + batch == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "Local steps and minibatches are multiplied by finite numbers above 0, not %s and %s"
              .formatted(steps, batch));
    }
  }

  /** Gives as many local steps as it makes of those of the schedule: one at least. */
  public int localSteps(int ofSchedule) {
    return steps == 1 ? ofSchedule : (int) Math.max(1, Math.round(ofSchedule * steps));
  }

  /** Gives as many examples as it makes of a minibatch of the configured size: one at least. */
  public int minibatch(int configured) {
    return batch == 1 ? configured : (int) Math.max(1, Math.round(configured * batch));
  }

  /** Returns training as it is configured, of a job that has been steered before. */
  public Steering asConfigured() {
    return new Steering(changes, 1, 1);
  }

  /** Returns what follows from the next round. */
  public Steering after(Verdict verdict) {
    return new Steering(
        verdict.changed() ? changes + 1 : changes, verdict.steps(), verdict.batch());
  }

  /** Writes it, for {@link #read}. */
  public void write(DataOutput out) throws IOException {
    out.writeInt(changes);
    out.writeDouble(steps);
    out.writeDouble(batch);
  }

  /** Reads what {@link #write} wrote. */
  public static Steering read(DataInput in) throws IOException {
    return new Steering(in.readInt(), in.readDouble(), in.readDouble());
  }
}
