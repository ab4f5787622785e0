package dev.millrace.exchange.drift;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The mean of the last 30 numbers, for detectors that keep no window of their own. */
final class RecentMean {

  private static final int WINDOW = 30;

  private final double[] newest = new double[WINDOW];
  private long count;

  void add(double value) {
    newest[(int) (count++ % WINDOW)] = value;
  }

  double mean() {
    int size = (int) Math.min(count, WINDOW);
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += newest[i];
    }
    return sum / size;
  }

  void clear() {
    count = 0;
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(count);
    for (double value : newest) {
      out.writeDouble(value);
    }
  }

  void read(DataInput in) throws IOException {
    count = in.readLong();
    for (int i = 0; i < WINDOW; i++) {
      newest[i] = in.readDouble();
    }
  }
}
