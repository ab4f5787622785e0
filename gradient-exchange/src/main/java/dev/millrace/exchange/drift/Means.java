package dev.millrace.exchange.drift;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Means around the newest drift.
 *
 * @param before it
 * @param after it began
 */
record Means(double before, double after) {

  static final Means UNKNOWN = new Means(Double.NaN, Double.NaN);

  void write(DataOutput out) throws IOException {
    out.writeDouble(before);
    out.writeDouble(after);
  }

  static Means read(DataInput in) throws IOException {
    return new Means(in.readDouble(), in.readDouble());
  }
}
