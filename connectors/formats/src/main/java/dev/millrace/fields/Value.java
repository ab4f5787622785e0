package dev.millrace.fields;

import dev.millrace.example.Excerpt;
import dev.millrace.example.InvalidExampleException;

/** Reads a value as what a field wants, or says that it isn't. */
final class Value {

  /** The longest word whose vocabulary is learned, or that is looked up, in UTF-16 units. */
  static final int LONGEST_WORD = 256;

  private Value() {}

  /**
   * A finite number.
   *
   * @throws InvalidExampleException if the value is none
   */
  static double number(FieldValues values, int field, String name) throws InvalidExampleException {
    return switch (values.kind(field)) {
      case LONG -> values.longAt(field);
      case DOUBLE -> finite(values.doubleAt(field), name);
      case TEXT, CELL -> {
        double number = values.number(field);
        if (Double.isNaN(number)) {
          throw expected("a number", values, field, name);
        }
        yield finite(number, name);
      }
      default -> throw expected("a number", values, field, name);
    };
  }

  private static double finite(double number, String name) throws InvalidExampleException {
    if (!Double.isFinite(number)) {
      throw new InvalidExampleException(
          "field \"%s\": a finite number expected, %s found".formatted(name, number));
    }
    return number;
  }

  /** A number within the range of float. */
  static float toFloat(double number, String name) throws InvalidExampleException {
    float value = (float) number;
    if (Float.isInfinite(value)) {
      throw new InvalidExampleException(
          "field \"%s\": %s is beyond the range of float; clip it, or take its logarithm"
              .formatted(name, number));
    }
    return value;
  }

  /** Whether a value is true or false in words, which no number is. */
  static boolean isTruth(FieldValues values, int field) {
    return switch (values.kind(field)) {
      case BOOLEAN -> true;
      case CELL -> {
        String word = CellWord.of(values.textAt(field));
        yield word.equals("true") || word.equals("false");
      }
      default -> false;
    };
  }

  static boolean truth(FieldValues values, int field, String name) throws InvalidExampleException {
    switch (values.kind(field)) {
      case BOOLEAN -> {
        return values.booleanAt(field);
      }
      case LONG -> {
        if (values.longAt(field) == 0 || values.longAt(field) == 1) {
          return values.longAt(field) == 1;
        }
      }
      case CELL -> {
        switch (values.textAt(field)) {
          case "true", "True", "TRUE", "1" -> {
            return true;
          }
          case "false", "False", "FALSE", "0" -> {
            return false;
          }
          default -> {}
        }
      }
      default -> {}
    }
    throw expected("true or false", values, field, name);
  }

  /**
   * The word that a value is. Numbers and booleans are words, too: equal ones of every format are
   * the same word.
   */
  static String word(FieldValues values, int field, String name) throws InvalidExampleException {
    String word = category(values, field, name);
    if (word.length() > LONGEST_WORD) {
      throw new InvalidExampleException(
          "field \"%s\": a word of at most %s characters expected, %s found"
              .formatted(name, LONGEST_WORD, word.length()));
    }
    return word;
  }

  /** Returns the word that a value is, without a limit of its length. */
  static String category(FieldValues values, int field, String name)
      throws InvalidExampleException {
    String text = text(values, field, name);
    return values.kind(field) == FieldValues.Kind.CELL ? CellWord.of(values.wordAt(field)) : text;
  }

  /** A value as a text; a cell as it is written. */
  static String text(FieldValues values, int field, String name) throws InvalidExampleException {
    return switch (values.kind(field)) {
      case LONG -> Long.toString(values.longAt(field));
      case DOUBLE -> CellWord.ofNumber(finite(values.doubleAt(field), name));
      case BOOLEAN -> values.booleanAt(field) ? "true" : "false";
      case TEXT, CELL -> whole(values.textAt(field), name);
      default -> throw expected("a word", values, field, name);
    };
  }

  /** Half a character has no bytes of its own: it would be another word wherever it is sent. */
  private static String whole(String text, String name) throws InvalidExampleException {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          throw new InvalidExampleException(
              "field \"%s\": a text expected, half of a surrogate pair found at character %s"
                  .formatted(name, i));
        }
        i++;
      }
    }
    return text;
  }

  static InvalidExampleException expected(String what, FieldValues values, int field, String name) {
    return new InvalidExampleException(
        "field \"%s\": %s expected, %s found".formatted(name, what, found(values, field)));
  }

  private static String found(FieldValues values, int field) {
    return switch (values.kind(field)) {
      case MISSING -> "nothing";
      case LONG -> Long.toString(values.longAt(field));
      case DOUBLE -> Double.toString(values.doubleAt(field));
      case BOOLEAN -> Boolean.toString(values.booleanAt(field));
      case TEXT, CELL -> Excerpt.of(values.textAt(field));
      case LIST -> "an array";
      case OTHER -> values.otherAt(field);
    };
  }
}
