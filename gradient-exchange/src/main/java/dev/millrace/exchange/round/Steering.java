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
 * @param batch what the number of examples of a minibatch is multiplied by
 * @param past how many past models were to be kept so far: the newest has this number
 * @param tries whether replicas measure past models on the examples that they learn
 */
public record Steering(
    double rate, int resets, int anchors, double steps, double batch, int past, boolean tries)
    implements Serializable {

  /** Training as it is configured. */
  public static final Steering NONE = new Steering(1, 0, 0, 1);

  public Steering {
    if (!(rate > 0)
        || !(steps > 0)
        || !(batch > 0)
        || rate + steps + batch == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          ("Learning rates, local steps and minibatches are multiplied by finite numbers above 0,"
                  + " not %s, %s and %s")
              .formatted(rate, steps, batch));
    }
  }

  /** Of minibatches as they are configured, and of no past model. */
  public Steering(double rate, int resets, int anchors, double steps) {
    this(rate, resets, anchors, steps, 1, 0, false);
  }

  /** So many local steps as it makes of those of the schedule: one at least. */
  public int localSteps(int ofSchedule) {
    return steps == 1 ? ofSchedule : (int) Math.max(1, Math.round(ofSchedule * steps));
  }

  /** So many examples as it makes of a minibatch of the configured size: one at least. */
  public int minibatch(int configured) {
    return batch == 1 ? configured : (int) Math.max(1, Math.round(configured * batch));
  }

  /** Training as it is configured, by a job that has been steered before. */
  public Steering asConfigured() {
    return new Steering(1, resets, anchors, 1, 1, past, false);
  }

  /** Whether minibatches or past models differ from what the first format takes them to be. */
  boolean hasMore() {
    return batch != 1 || past > 0 || tries;
  }

  void write(DataOutput out) throws IOException {
    out.writeDouble(rate);
    out.writeInt(resets);
    out.writeInt(anchors);
    out.writeDouble(steps);
  }

  /** Writes what {@link #write} leaves out. */
  void writeMore(DataOutput out) throws IOException {
    out.writeDouble(batch);
    out.writeInt(past);
    out.writeBoolean(tries);
  }

  static Steering read(DataInput in) throws IOException {
    return new Steering(in.readDouble(), in.readInt(), in.readInt(), in.readDouble());
  }

  /** This with what {@link #writeMore} wrote. */
  Steering withMore(DataInput in) throws IOException {
    return new Steering(
        rate, resets, anchors, steps, in.readDouble(), in.readInt(), in.readBoolean());
  }
}
