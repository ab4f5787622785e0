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
 */
public record Treatment(double shrink, double noise, boolean resetUpdater, long seed)
    implements Serializable {

  /** Leaves everything as it is. */
  public static final Treatment NONE = new Treatment(1, 0, false, 0);

  public Treatment {
    if (!(shrink > 0 && shrink <= 1) || !(noise >= 0) || noise == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "Parameters shrink by a factor above 0 and up to 1, with noise of 0 or more; not %s and %s"
              .formatted(shrink, noise));
    }
  }

  /** Whether there is anything to do. */
  public boolean isSome() {
    return changesParameters() || resetUpdater;
  }

  /** Whether parameters change. */
  public boolean changesParameters() {
    return shrink != 1 || noise != 0;
  }

  public void write(DataOutput out) throws IOException {
    out.writeDouble(shrink);
    out.writeDouble(noise);
    out.writeBoolean(resetUpdater);
    out.writeLong(seed);
  }

  public static Treatment read(DataInput in) throws IOException {
    return new Treatment(in.readDouble(), in.readDouble(), in.readBoolean(), in.readLong());
  }
}
