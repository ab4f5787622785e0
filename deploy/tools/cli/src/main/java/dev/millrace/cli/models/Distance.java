package dev.millrace.cli.models;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * How far the values of B are from those of A. What can't be said, because there is a norm of 0 or
 * a value that is no number, is null.
 *
 * @param values how many were compared
 * @param l2 norm of the difference
 * @param relative that norm as a share of the norm of A
 * @param largest difference of a value
 * @param cosine of the angle between A and B
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Distance(int values, Double l2, Double relative, Double largest, Double cosine) {

  /** Compares the {@code length} values from index {@code from}. */
  static Distance of(float[] a, float[] b, int from, int length) {
    double squares = 0;
    double largest = 0;
    double ofA = 0;
    double ofB = 0;
    double product = 0;
    for (int i = from; i < from + length; i++) {
      double difference = (double) b[i] - a[i];
      squares += difference * difference;
      largest = Math.max(largest, Math.abs(difference));
      ofA += (double) a[i] * a[i];
      ofB += (double) b[i] * b[i];
      product += (double) a[i] * b[i];
    }
    return new Distance(
        length,
        known(Math.sqrt(squares)),
        known(Math.sqrt(squares) / Math.sqrt(ofA)),
        known(largest),
        known(product / (Math.sqrt(ofA) * Math.sqrt(ofB))));
  }

  boolean isNone() {
    return largest != null && largest == 0;
  }

  private static Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
