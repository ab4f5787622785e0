package dev.millrace.example;

import java.io.Serializable;
import java.util.HashSet;
import java.util.List;

/**
 * What a format needs to know beyond the shape of its examples.
 *
 * @param labelFirst whether a csv line starts with its labels; otherwise it ends with them
 * @param separator between the fields of a csv line: an ASCII character that can't be part of a
 *     number or a quote
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

  /** Labels last, commas between, and classes by number. */
  public static FormatSettings defaults() {
    return new FormatSettings(false, ',', List.of());
  }
}
