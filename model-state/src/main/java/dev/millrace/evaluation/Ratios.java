package dev.millrace.evaluation;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Shares and means that may not be defined; null stands for that. */
final class Ratios {

  private Ratios() {}

  /** Null where the divisor is 0. */
  static Double of(double dividend, double divisor) {
    return divisor == 0 ? null : dividend / divisor;
  }

  /** Null where there is nothing to have a share of. */
  static Double share(long part, long all) {
    return of((double) part, (double) all);
  }

  /** Null of no value. */
  static Double mean(CompensatedSum sum, long count) {
    return of(sum.value(), (double) count);
  }

  /** The harmonic mean of precision and recall, from counts; null where both are undefined. */
  static Double f1(long truePositives, long actual, long predicted) {
    return of(2.0 * truePositives, (double) (actual + predicted));
  }

  /** The mean of the values that are defined; null where none is. */
  static <T> Double mean(Collection<T> of, Function<T, Double> value) {
    List<Double> defined = of.stream().map(value).filter(Objects::nonNull).toList();
    CompensatedSum sum = new CompensatedSum();
    defined.forEach(sum::add);
    return mean(sum, defined.size());
  }
}
