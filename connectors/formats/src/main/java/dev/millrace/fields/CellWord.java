package dev.millrace.fields;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * The word that a cell of a table is as a category. A number or a truth value has the word that the
 * same value has in JSON, Avro and Protobuf: {@code 5.0} is {@code 5}, and {@code True} is {@code
 * true}. What JSON wouldn't take for a number, such as {@code 007}, stays as it is.
 */
public final class CellWord {

  /** A decimal number within the range of double. */
  private static final Pattern DECIMAL = Pattern.compile("-?(0|[1-9]\\d{0,300})\\.\\d{1,300}");

  private CellWord() {}

  /** The word of a cell's text. */
  public static String of(String text) {
    return switch (text) {
      case "True", "TRUE" -> "true";
      case "False", "FALSE" -> "false";
      case "-0" -> "0";
      default ->
          text.indexOf('.') > 0 && DECIMAL.matcher(text).matches()
              ? ofNumber(Double.parseDouble(text))
              : text;
    };
  }

  /** The word of a finite number, without an exponent, which languages write differently. */
  static String ofNumber(double number) {
    long whole = (long) number;
    return whole == number && whole != Long.MAX_VALUE
        ? Long.toString(whole)
        : BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }
}
