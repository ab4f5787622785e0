package dev.millrace.example;

import java.io.Serializable;
import java.util.List;

/**
 * How lines of the format {@code csv} are laid out.
 *
 * @param labelFirst whether labels are the first columns, or the last
 * @param separator what stands between columns
 * @param classNames names of the classes as the label column has them, by number; empty where
 *     labels are the numbers themselves
 */
public record FormatSettings(boolean labelFirst, char separator, List<String> classNames)
    implements Serializable {

  public FormatSettings {
    classNames = List.copyOf(classNames);
  }

  /** Labels last, commas, classes as numbers. */
  public static FormatSettings defaults() {
    return new FormatSettings(false, ',', List.of());
  }
}
