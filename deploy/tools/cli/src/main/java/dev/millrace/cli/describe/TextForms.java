package dev.millrace.cli.describe;

import dev.millrace.fields.FieldTexts;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds out which words of a sample mean a missing value, and what its decimal sign is. */
final class TextForms {

  private TextForms() {}

  /**
   * Finds what texts stand for. Words are found where the other values of a field are numbers,
   * times or booleans.
   *
   * @param missing words that are known to mean a missing value
   * @param decimalOrNull the decimal sign, where it is known
   */
  static FieldTexts of(
      Collection<FieldProfile> fields, List<String> missing, Character decimalOrNull) {
    char decimal = decimalOrNull != null ? decimalOrNull : decimal(fields);
    Set<String> words = new HashSet<>(missing);
    for (FieldProfile field : fields) {
      if (field.areMostlyNumbers(decimal) || field.areMostlyTimes() || field.areBooleans()) {
        words.addAll(field.absent().keySet());
      }
    }
    return new FieldTexts(words, decimal);
  }

  /** A comma, where it makes numbers, and no field has numbers with a point. */
  private static char decimal(Collection<FieldProfile> fields) {
    boolean points = false;
    boolean commas = false;
    for (FieldProfile field : fields) {
      points |= field.pointed() > 0 && field.areMostlyNumbers('.');
      commas |= field.commas() > 0 && !field.mayBeThousands() && field.areMostlyNumbers(',');
    }
    return commas && !points ? ',' : '.';
  }
}
