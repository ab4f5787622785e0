package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What texts of records stand for, whatever the format: which words say that a value is missing,
 * and how a number is written.
 *
 * @param missing words in the place of a value that isn't there, such as {@code NA}
 * @param decimal between a number's whole part and its fraction: a point or a comma
 */
public record FieldTexts(Set<String> missing, char decimal) implements Serializable {

  /** No words, and the decimal point. */
  public static final FieldTexts DEFAULT = new FieldTexts(Set.of(), '.');

  public FieldTexts {
    missing = Set.copyOf(missing);
    if (decimal != '.' && decimal != ',') {
      throw new IllegalArgumentException(
          "The decimal sign is a point or a comma, not \"%c\"".formatted(decimal));
    }
    for (String word : missing) {
      if (word.isEmpty() || !word.equals(word.strip())) {
        throw new IllegalArgumentException(
            "A word for a missing value is not empty and has no space around it, unlike \"%s\""
                .formatted(word));
      }
    }
  }

  /**
   * Makes texts of a list, as options have it.
   *
   * @throws IllegalArgumentException if a word is there twice, is empty or has space around it
   */
  public static FieldTexts of(List<String> missing, char decimal) {
    Set<String> words = new HashSet<>();
    for (String word : missing) {
      if (!words.add(word)) {
        throw new IllegalArgumentException(
            "The word \"%s\" for a missing value is there twice".formatted(word));
      }
    }
    return new FieldTexts(words, decimal);
  }

  /** Whether a text says that the value is missing. */
  public boolean isMissing(String text) {
    return missing.contains(text);
  }

  /**
   * Returns the numbers among the words for a missing value; NaN for a word such as {@code nan}.
   */
  double[] missingNumbers() {
    return missing.stream()
        .filter(word -> word.equalsIgnoreCase("NaN") || !Double.isNaN(number(word)))
        .mapToDouble(this::number)
        .toArray();
  }

  /**
   * The decimal number that a text stands for, infinite beyond doubles; NaN if for none. Signs and
   * exponents are allowed. Hexadecimal numbers, names such as {@code NaN} and separators of
   * thousands are not.
   */
  public double number(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return number(bytes, 0, bytes.length);
  }

  /** Reads the number of a cell in UTF-8. */
  double number(byte[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      byte b = text[i];
      // Java's parser takes hexadecimal numbers, words and suffixes, too.
      if ((b < '0' || b > '9') && b != decimal && b != '-' && b != '+' && b != 'e' && b != 'E') {
        return Double.NaN;
      }
    }
    try {
      return decimal == '.'
          ? JavaDoubleParser.parseDouble(text, from, to - from)
          : JavaDoubleParser.parseDouble(
              new String(text, from, to - from, UTF_8).replace(decimal, '.'));
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** A text with the decimal point where it is a number, and as it is otherwise. */
  public String withPoint(String text) {
    return decimal != '.' && text.indexOf(decimal) >= 0 && !Double.isNaN(number(text))
        ? text.replace(decimal, '.')
        : text;
  }
}
