package dev.millrace.exchange.drift;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Brings errors of any size to numbers from 0 to 1, which detectors take: {@code e / (e + mean so
 * far)}. A usual error becomes a half, whatever the unit of labels is. Errors that are 0 or 1 stay.
 */
final class ErrorScale {

  private long count;
  private double mean;

  double of(double error, boolean isBit) {
    if (isBit) {
      return error;
    }
    if (!(error < Double.POSITIVE_INFINITY)) {
      return 1;
    }
    count++;
    mean += (error - mean) / count;
    return error == 0 ? 0 : error / (error + mean);
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
