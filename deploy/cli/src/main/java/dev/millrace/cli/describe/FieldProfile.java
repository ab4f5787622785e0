package dev.millrace.cli.describe;

import dev.millrace.example.IsoTime;
import java.time.DateTimeException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What the values of one field are, in a sample. */
final class FieldProfile {

  /** Distinct words that are kept. */
  static final int MOST_WORDS = 10_000;

  /** Distinct numbers that are kept of a field that has nothing else. */
  static final int MOST_NUMBERS = 1000;

  private static final int LONGEST_WORD = 256;

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

  private final String path;
  private final Map<String, Long> words = new TreeMap<>();
  private long present;
  private long numbers;
  private long whole;
  private long booleans;
  private long times;
  private long others;
  private long characters;
  private long spaced;
  private double least = Double.POSITIVE_INFINITY;
  private double most = Double.NEGATIVE_INFINITY;
  private double sum;
  private boolean manyWords;
  private boolean manyNumbers;

  FieldProfile(String path) {
    this.path = path;
  }

  static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches();
  }

  /** A cell of a table: text that may stand for a number. */
  void cell(String text) {
    if (text.isEmpty()) {
      return;
    }
    if (NUMBER.matcher(text).matches()) {
      number(Double.parseDouble(text), text);
    } else if (text.matches("(?i)true|false")) {
      truth(text);
    } else {
      text(text);
    }
  }

  void number(double value, String text) {
    present++;
    numbers++;
    whole += value == Math.rint(value) ? 1 : 0;
    least = Math.min(least, value);
    most = Math.max(most, value);
    sum += value;
    if (numbers == present && words.size() >= MOST_NUMBERS && !words.containsKey(text)) {
      manyNumbers = true;
    } else {
      word(text);
    }
  }

  void truth(String text) {
    present++;
    booleans++;
    word(text);
  }

  void text(String text) {
    present++;
    times += isTime(text) ? 1 : 0;
    characters += text.length();
    spaced += text.indexOf(' ') >= 0 ? 1 : 0;
    word(text.length() > LONGEST_WORD ? text.substring(0, LONGEST_WORD) : text);
  }

  private static boolean isTime(String text) {
    if (!DATE.matcher(text).lookingAt()) {
      return false;
    }
    try {
      IsoTime.inUtc(text);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  /** An array, or something else that is no value. */
  void other() {
    present++;
    others++;
  }

  private void word(String text) {
    if (words.size() < MOST_WORDS || words.containsKey(text)) {
      words.merge(text, 1L, Long::sum);
    } else {
      manyWords = true;
    }
  }

  String path() {
    return path;
  }

  /** Distinct values by their text, at most {@value #MOST_WORDS}; in order. */
  Map<String, Long> words() {
    return words;
  }

  /** Whether there are more distinct values than are kept. */
  boolean hasManyWords() {
    return manyWords || manyNumbers;
  }

  long present() {
    return present;
  }

  long numbers() {
    return numbers;
  }

  boolean areNumbers() {
    return present > 0 && numbers == present;
  }

  boolean areWhole() {
    return areNumbers() && whole == numbers;
  }

  boolean areBooleans() {
    return present > 0 && booleans == present;
  }

  boolean areTimes() {
    return present > 0 && times == present;
  }

  boolean hasOthers() {
    return others > 0;
  }

  double least() {
    return least;
  }

  double most() {
    return most;
  }

  double mean() {
    return sum / numbers;
  }

  /** Characters of a text, on average. */
  double length() {
    return (double) characters / Math.max(1, present - numbers - booleans);
  }

  /** Whether most texts are several words. */
  boolean isProse() {
    return 2 * spaced > present;
  }

  /** Whether nearly each record has a value of its own. */
  boolean isUnique() {
    return manyWords || 10L * words.size() > 9 * present;
  }
}
