package dev.millrace.exchange.drift;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Brings errors of any size to numbers from 0 to 1, which detectors take. Errors that are 0 or 1
 * stay. Of others the logarithm counts, beside the mean of the first {@value #FIRST}, which a half
 * stands for; {@value #RANGE} times as much is 1. So a model that gets better, as each does in the
 * beginning, makes numbers that only fall, and a rise by a factor is the same at any error.
 */
final class ErrorScale {

  private static final int FIRST = 1_000;
  private static final double RANGE = 1e4;

  private long count;
  private double mean;

  double of(double error, boolean isBit) {
    if (isBit) {
      return error;
    }
    if (!(error < Double.POSITIVE_INFINITY)) {
      return 1;
    }
    if (count < FIRST) {
      count++;
      mean += (error - mean) / count;
    }
    if (error == 0 || mean == 0) {
      return error == 0 ? 0 : 1;
    }
    double place = 0.5 + Math.log(error / mean) / (2 * Math.log(RANGE));
    return Math.max(0, Math.min(1, place));
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(count);
    out.writeDouble(mean);
  }

  void read(DataInput in) throws IOException {
    count = in.readLong();
    mean = in.readDouble();
  }
}
