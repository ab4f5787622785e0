package example.beside;

import org.apache.flink.table.functions.ScalarFunction;

/** Functions that make columns of a digit's record. */
final class DigitColumns {

  private DigitColumns() {}

  /** Its pixels. */
  public static final class Pixels extends ScalarFunction {

    public float[] eval(byte[] digit) {
      return Digit.pixels(digit);
    }
  }

  /** Its label. */
  public static final class Label extends ScalarFunction {

    public int eval(byte[] digit) {
      return Digit.label(digit);
    }
  }
}
