package dev.millrace.file;

import dev.millrace.example.IsoTime;
import dev.millrace.fields.FieldTexts;
import java.time.DateTimeException;
import java.util.Set;

/** What the text of a cell looks like, to somebody who doesn't know what the column is. */
public final class CellTexts {

  /** Words that programs write where a value is missing. */
  public static final Set<String> MISSING =
      Set.of(
          "NA", "N/A", "#N/A", "n/a", "na", "N.A.", "NaN", "nan", "NAN", "NULL", "null", "Null",
          "None", "none", "\\N", "?", "-", "--", ".");

  private static final FieldTexts POINT = FieldTexts.DEFAULT;
  private static final FieldTexts COMMA = new FieldTexts(Set.of(), ',');
  private static final int YEAR = 4;

  private CellTexts() {}

  /** Whether a text is a number, with a decimal point or a decimal comma. */
  public static boolean isNumber(String text) {
    return !Double.isNaN(POINT.number(text)) || isCommaNumber(text);
  }

  /** Whether a text is a number with a decimal comma. */
  public static boolean isCommaNumber(String text) {
    return text.indexOf(',') >= 0 && !Double.isNaN(COMMA.number(text));
  }

  /** Whether a text is a time of ISO-8601 that begins with a date. */
  public static boolean isTime(String text) {
    if (text.length() <= YEAR || text.charAt(YEAR) != '-') {
      return false;
    }
    try {
      IsoTime.inUtc(text);
      return true;
    } catch (DateTimeException | ArithmeticException e) {
      return false;
    }
  }

  /** Whether a text is true or false. */
  public static boolean isTruth(String text) {
    return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
  }

  /** Whether a text may be the name of a column, as far as the text alone tells. */
  static boolean isName(String text) {
    return !text.isEmpty()
        && !isNumber(text)
        && !isTime(text)
        && !isTruth(text)
        && !MISSING.contains(text);
  }
}
