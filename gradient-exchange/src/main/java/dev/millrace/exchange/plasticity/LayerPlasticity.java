package dev.millrace.exchange.plasticity;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * How able one layer is to learn.
 *
 * @param layer its name
 * @param units of it; 0 where its engine doesn't tell activations
 * @param deadShare of its units, those that gave the same for all examples of the sample; NaN where
 *     units aren't known
 * @param effectiveRank of its activations; NaN where units aren't known
 * @param norm L2 norm of its parameters
 * @param updateRatio L2 norm of their change since the measurement before, by {@code norm}; NaN for
 *     the first
 */
public record LayerPlasticity(
    String layer,
    int units,
    double deadShare,
    double effectiveRank,
    double norm,
    double updateRatio)
    implements Serializable {

  void write(DataOutput out) throws IOException {
    out.writeUTF(layer);
    out.writeInt(units);
    out.writeDouble(deadShare);
    out.writeDouble(effectiveRank);
    out.writeDouble(norm);
    out.writeDouble(updateRatio);
  }

  static LayerPlasticity read(DataInput in) throws IOException {
    return new LayerPlasticity(
        in.readUTF(),
        in.readInt(),
        in.readDouble(),
        in.readDouble(),
        in.readDouble(),
        in.readDouble());
  }
}
