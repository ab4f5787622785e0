package dev.millrace.exchange.block;

import dev.millrace.exchange.codec.Payload;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A contributed change that waits for its round.
 *
 * @param sequence which of the replica's contributions it is of
 * @param weight sum of the weights of the examples behind it
 */
record WaitingChange(long sequence, double weight, Payload payload) {

  void write(DataOutput out) throws IOException {
    out.writeLong(sequence);
    out.writeDouble(weight);
    payload.write(out);
  }

  /** Reads what {@link #write} wrote. */
  static WaitingChange read(DataInput in) throws IOException {
    return new WaitingChange(in.readLong(), in.readDouble(), Payload.read(in));
  }
}
