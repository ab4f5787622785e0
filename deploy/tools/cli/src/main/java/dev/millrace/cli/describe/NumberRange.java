package dev.millrace.cli.describe;

/**
 * Numbers of a field, in a sample.
 *
 * <p>Not thread-safe.
 */
final class NumberRange {

  private long count;
  private long whole;
  private double least = Double.POSITIVE_INFINITY;
  private double most = Double.NEGATIVE_INFINITY;
  private double sum;

  /** Takes in a number; one beyond doubles is counted alone. */
  void add(double value) {
    count++;
    if (Double.isFinite(value)) {
      whole += value == Math.rint(value) ? 1 : 0;
      least = Math.min(least, value);
      most = Math.max(most, value);
      sum += value;
    }
  }

  void addAll(NumberRange other) {
    count += other.count;
    whole += other.whole;
    least = Math.min(least, other.least);
    most = Math.max(most, other.most);
    sum += other.sum;
  }

  long count() {
    return count;
  }

  boolean areWhole() {
    return whole == count;
  }

  double least() {
    return least;
  }

  double most() {
    return most;
  }

  double mean() {
    return sum / Math.max(1, count);
  }

  /** Whether they may count something one by one, as ids of rows do. */
  boolean mayCount() {
    return count > 2
        && areWhole()
        && (least == 0 || least == 1)
        && most - least + 1 == count
        && sum == (least + most) * count / 2;
  }
}
