package dev.millrace.evaluation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;

/**
 * A sum of finite doubles with twice their precision, as two doubles that don't overlap (Dekker
 * 1971, Knuth's TwoSum). In whatever order and in however many parts values are added, sums differ
 * by less than one part in 10<sup>30</sup> for each of them: rounded, they are the same.
 *
 * <p>Not thread-safe.
 */
final class CompensatedSum {

  private double high;
  private double low;

  void add(double value) {
    add(value, 0);
  }

  void add(CompensatedSum other) {
    add(other.high, other.low);
  }

  private void add(double otherHigh, double otherLow) {
    double sum = high + otherHigh;
    double error = twoSumError(high, otherHigh, sum);
    double lowSum = low + otherLow;
    double lowError = twoSumError(low, otherLow, lowSum);
    normalize(sum, error + lowSum);
    normalize(high, low + lowError);
  }

  private static double twoSumError(double a, double b, double sum) {
    double part = sum - a;
    return (a - (sum - part)) + (b - part);
  }

  private void normalize(double large, double small) {
    high = large + small;
    low = small - (high - large);
  }

  /** The sum, rounded. */
  double value() {
    return high;
  }

  /** The sum as it is kept. */
  BigDecimal exact() {
    return new BigDecimal(high).add(new BigDecimal(low));
  }

  void write(DataOutput out) throws IOException {
    out.writeDouble(high);
    out.writeDouble(low);
  }

  void read(DataInput in) throws IOException {
    high = in.readDouble();
    low = in.readDouble();
  }
}
