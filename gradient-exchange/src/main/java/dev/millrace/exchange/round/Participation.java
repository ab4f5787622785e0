package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * How much of a whole round a round is. A mean over the members that are there would let each of
 * them count for all: N replicas in N rounds of their own would move the model N times too far. So
 * a round without some of them moves it by its share, as in FedBuff (Nguyen et al. 2022), which
 * divides by the size of a full buffer.
 *
 * @param share the members' usual examples, of those of all replicas that belong to a whole round;
 *     above 0, at most 1
 * @param size the members' examples, of the usual ones of a whole round: how much of a step a
 *     server optimizer makes; above 0, at most 1
 */
public record Participation(double share, double size) implements Serializable {

  /** All replicas, each with as many examples as usual. */
  public static final Participation WHOLE = new Participation(1, 1);

  public Participation {
    if (!(share > 0 && share <= 1 && size > 0 && size <= 1)) {
      throw new IllegalArgumentException(
          "A round is a part of a whole one, not %s with %s of the examples"
              .formatted(share, size));
    }
  }

  /** Whether replicas are missing. */
  public boolean isPartial() {
    return share < 1;
  }

  void write(DataOutput out) throws IOException {
    out.writeDouble(share);
    out.writeDouble(size);
  }

  static Participation read(DataInput in) throws IOException {
    return new Participation(in.readDouble(), in.readDouble());
  }
}
