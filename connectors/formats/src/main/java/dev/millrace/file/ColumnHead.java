package dev.millrace.file;

import java.util.HashMap;
import java.util.Map;

/**
 * The first cell of a column, and what the cells below it tell of it.
 *
 * <p>Not thread-safe.
 */
final class ColumnHead {

  /** Distinct words that are counted. */
  private static final int MOST_WORDS = 100;

  private final String text;
  private final boolean word;
  private final boolean time;
  private final boolean truth;
  private final boolean number;
  private final boolean whole;
  private final Map<String, Integer> words = new HashMap<>();
  private long typed;
  private long others;
  private boolean sameBelow;
  private boolean kindBelow;

  ColumnHead(String text) {
    this.text = text;
    this.time = CellTexts.isTime(text);
    this.truth = CellTexts.isTruth(text);
    this.number = CellTexts.isNumber(text);
    this.whole = text.matches("0|[1-9]\\d*");
    this.word = CellTexts.isName(text);
  }

  /** Takes in a cell below. */
  void add(String cell) {
    if (cell.isEmpty() || CellTexts.MISSING.contains(cell)) {
      return;
    }
    boolean isTime = CellTexts.isTime(cell);
    boolean isTruth = CellTexts.isTruth(cell);
    kindBelow |= (time && isTime) || (truth && isTruth);
    if (isTime || isTruth || CellTexts.isNumber(cell)) {
      typed++;
      sameBelow |= number && cell.equals(text);
      return;
    }
    others++;
    sameBelow |= cell.equals(text);
    if (words.size() < MOST_WORDS || words.containsKey(cell)) {
      words.merge(cell, 1, Integer::sum);
    }
  }

  String text() {
    return text;
  }

  boolean isEmpty() {
    return text.isEmpty();
  }

  boolean isWord() {
    return word;
  }

  /** Whether it is a word above numbers, times or booleans. */
  boolean isAName() {
    return word && typed > 0 && 4 * others <= typed;
  }

  /**
   * Whether it is as the cells below are. A number that isn't plainly whole is, above numbers: no
   * year and no place looks like that.
   */
  boolean isAValue() {
    return ((word || number) && sameBelow) || kindBelow || (number && !whole && typed > 0);
  }

  /** Whether it is the only word of its column that isn't there again. */
  boolean isAlone() {
    return word && !words.isEmpty() && words.values().stream().allMatch(count -> count > 1);
  }

  /** Whether it is a word, a whole number, such as a year, or a number above words. */
  boolean mayBeAName() {
    boolean odd = typed == 0 && others > 0;
    return word || isEmpty() || (number && (odd || whole));
  }
}
