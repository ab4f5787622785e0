package dev.millrace.exchange.replica;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.InvalidModelException;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * How large a replica's vector is, and how it is cut.
 *
 * @param values of the model and its updater's state
 * @param exchanged how many of them are exchanged
 * @param ofBlock the most of these in one block
 */
record VectorSize(int values, int exchanged, int ofBlock) {

  static VectorSize of(ModelSpec spec, BlockLayout layout) {
    return new VectorSize(spec.vectorLength(), layout.length(), layout.blockSize());
  }

  /**
   * Checks that a checkpoint's vector is of the size that this job has.
   *
   * @throws InvalidModelException if it isn't
   */
  void requireToBe(VectorSize own) {
    if (!equals(own)) {
      throw new InvalidModelException(
          ("The checkpoint's model has %s values, %s of them exchanged in blocks of %s; this job's"
                  + " has %s, %s and %s. Submit with the model that the checkpoint was made with, its"
                  + " size of parameter blocks, and its updater's state averaged or not as there")
              .formatted(values, exchanged, ofBlock, own.values, own.exchanged, own.ofBlock));
    }
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(values);
    out.writeInt(exchanged);
    out.writeInt(ofBlock);
  }

  static VectorSize read(DataInput in) throws IOException {
    return new VectorSize(in.readInt(), in.readInt(), in.readInt());
  }
}
