package dev.millrace.sql.row;

import dev.millrace.example.InvalidExampleException;
import org.apache.flink.table.data.DecimalData;

/** Numbers as features. */
public final class Numbers {

  private Numbers() {}

  /**
   * The number that a column holds; of a BOOLEAN 1 or 0.
   *
   * @param value in Flink's internal classes, or null
   * @param column names where it is from
   * @throws InvalidExampleException if there is none
   */
  public static double of(Object value, String column) throws InvalidExampleException {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    if (value instanceof DecimalData decimal) {
      return decimal.toBigDecimal().doubleValue();
    }
    if (value instanceof Boolean truth) {
      return truth ? 1 : 0;
    }
    throw new InvalidExampleException("column '%s' is NULL".formatted(column));
  }

  /**
   * A feature of a number.
   *
   * @param column names where it is from
   * @throws InvalidExampleException if it isn't finite, or beyond the range of float
   */
  public static float toFeature(double number, String column) throws InvalidExampleException {
    float feature = (float) number;
    if (!Float.isFinite(feature)) {
      throw new InvalidExampleException(
          Double.isFinite(number)
              ? "column '%s': %s is beyond the range of float".formatted(column, number)
              : "column '%s': a finite number expected, %s found".formatted(column, number));
    }
    return feature;
  }
}
