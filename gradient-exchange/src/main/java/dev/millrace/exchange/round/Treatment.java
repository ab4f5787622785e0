package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * What is done to the global model once, when the members of a round are combined. A block that no
 * member of the round covers is treated in its next round that has one.
 *
 * @param shrink what parameters are multiplied by, running statistics left aside
 * @param noise standard deviation of the normal numbers that are added to them then (shrink and
 *     perturb: Ash and Adams 2020)
 * @param resetUpdater whether the server optimizer's state, and exchanged updater state, start
 *     anew. Of the latter, second moments stay: contributions under way are changes of those that
 *     were, and would lead below zero
 * @param seed of the numbers, which each block draws by itself
 * @param past which past models blocks keep, and go back to before all else
 */
public record Treatment(
    double shrink, double noise, boolean resetUpdater, long seed, PastOrder past)
    implements Serializable {

  private static final int RESETS = 1;
  private static final int HAS_PAST = 2;

  /** Leaves everything as it is. */
  public static final Treatment NONE = new Treatment(1, 0, false, 0);

  public Treatment {
    if (!(shrink > 0 && shrink <= 1) || !(noise >= 0) || noise == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "Parameters shrink by a factor above 0 and up to 1, with noise of 0 or more; not %s and %s"
              .formatted(shrink, noise));
    }
  }

  /** Of no past model. */
  public Treatment(double shrink, double noise, boolean resetUpdater, long seed) {
    this(shrink, noise, resetUpdater, seed, PastOrder.NONE);
  }

  /** The same with past models. */
  Treatment with(PastOrder order) {
    return new Treatment(shrink, noise, resetUpdater, seed, order);
  }

  /** Whether there is anything to do. */
  public boolean isSome() {
    return changesParameters() || resetUpdater || !past.equals(PastOrder.NONE);
  }

  /** Whether parameters change. */
  public boolean changesParameters() {
    return shrink != 1 || noise != 0;
  }

  public void write(DataOutput out) throws IOException {
    out.writeDouble(shrink);
    out.writeDouble(noise);
    boolean hasPast = !past.equals(PastOrder.NONE);
    out.writeByte((resetUpdater ? RESETS : 0) | (hasPast ? HAS_PAST : 0));
    out.writeLong(seed);
    if (hasPast) {
      past.write(out);
    }
  }

  public static Treatment read(DataInput in) throws IOException {
    double shrink = in.readDouble();
    double noise = in.readDouble();
    int parts = in.readByte();
    return new Treatment(
        shrink,
        noise,
        (parts & RESETS) != 0,
        in.readLong(),
        (parts & HAS_PAST) != 0 ? PastOrder.read(in) : PastOrder.NONE);
  }
}
