package dev.millrace.example;

import java.io.Serializable;
import java.util.HashSet;
import java.util.List;

/**
 * What a format, or a reader of tables, needs to know beyond the shape of its examples.
 *
 * @param labelFirst whether a line or row of csv starts with its labels; otherwise it ends with
 *     them
 * @param separator between the fields of csv: an ASCII character that can't be part of a number or
 *     a quote
 * @param classNames names of the classes 0, 1, 2 …, all different, for labels that are words; empty
 *     if labels are numbers
 */
public record FormatSettings(boolean labelFirst, char separator, List<String> classNames)
    implements Serializable {

  private static final String NO_SEPARATORS = "+-.\"\r\n\0";

  public FormatSettings {
    classNames = List.copyOf(classNames);
    if (separator > 127
        || Character.isLetterOrDigit(separator)
        || NO_SEPARATORS.indexOf(separator) >= 0) {
      throw new IllegalArgumentException(
          "A separator is one ASCII character that is no letter, digit, sign, point, quote or line"
              + " end, not the one with code "
              + (int) separator);
    }
    if (new HashSet<>(classNames).size() < classNames.size()) {
      throw new IllegalArgumentException("Class names have to differ: " + classNames);
    }
    for (String name : classNames) {
      if (name.isEmpty() || !name.equals(name.strip())) {
        throw new IllegalArgumentException(
            "A class name is not empty and has no space around it, unlike \"" + name + '"');
      }
    }
  }

  /** Returns the same settings with other names of classes, or none. */
  public FormatSettings withClassNames(List<String> names) {
    return new FormatSettings(labelFirst, separator, names);
  }

  /** Labels last, commas between, and classes by number. */
  public static FormatSettings defaults() {
    return new FormatSettings(false, ',', List.of());
  }
}
