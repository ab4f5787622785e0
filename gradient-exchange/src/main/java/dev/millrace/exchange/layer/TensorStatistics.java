package dev.millrace.exchange.layer;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * One tensor of a layer's parameters.
 *
 * @param name as its engine calls it
 * @param weights its values after a local step
 * @param updates what the step has added to them
 */
public record TensorStatistics(String name, Distribution weights, Distribution updates)
    implements Serializable {

  void write(DataOutput out) throws IOException {
    out.writeUTF(name);
    weights.write(out);
    updates.write(out);
  }

  static TensorStatistics read(DataInput in) throws IOException {
    return new TensorStatistics(in.readUTF(), Distribution.read(in), Distribution.read(in));
  }
}
