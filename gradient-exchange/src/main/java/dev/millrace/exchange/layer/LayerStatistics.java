package dev.millrace.exchange.layer;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * One layer, after a local step.
 *
 * @param layer its name
 * @param units of it; 0 where its engine doesn't tell activations
 * @param deadShare of its units, those that gave the same for all examples of the sample; NaN where
 *     units aren't known
 * @param effectiveRank of its activations; NaN where units aren't known
 * @param activations for the examples of the sample
 * @param tensors its parameters
 */
public record LayerStatistics(
    String layer,
    int units,
    double deadShare,
    double effectiveRank,
    Distribution activations,
    List<TensorStatistics> tensors)
    implements Serializable {

  /** L2 norm of its parameters. */
  public double weightNorm() {
    double squares = 0;
    for (TensorStatistics tensor : tensors) {
      Distribution weights = tensor.weights();
      squares +=
          weights.deviation() * weights.deviation() * Math.max(0, weights.count() - 1)
              + weights.mean() * weights.mean() * weights.count();
    }
    return Math.sqrt(squares);
  }

  /**
   * Mean magnitude of the step's updates by that of the parameters: about 0.001 is usual. NaN where
   * all are 0.
   */
  public double updateRatio() {
    double updates = 0;
    double weights = 0;
    for (TensorStatistics tensor : tensors) {
      updates += tensor.updates().magnitude() * tensor.updates().count();
      weights += tensor.weights().magnitude() * tensor.weights().count();
    }
    return updates / weights;
  }

  void write(DataOutput out) throws IOException {
    out.writeUTF(layer);
    out.writeInt(units);
    out.writeDouble(deadShare);
    out.writeDouble(effectiveRank);
    activations.write(out);
    out.writeInt(tensors.size());
    for (TensorStatistics tensor : tensors) {
      tensor.write(out);
    }
  }

  static LayerStatistics read(DataInput in) throws IOException {
    String layer = in.readUTF();
    int units = in.readInt();
    double deadShare = in.readDouble();
    double effectiveRank = in.readDouble();
    Distribution activations = Distribution.read(in);
    List<TensorStatistics> tensors = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      tensors.add(TensorStatistics.read(in));
    }
    return new LayerStatistics(
        layer, units, deadShare, effectiveRank, activations, List.copyOf(tensors));
  }
}
