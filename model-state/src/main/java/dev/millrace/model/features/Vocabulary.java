package dev.millrace.model.features;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.shape.WordColumn;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Words that have a number of their own, in the order in which they got it. A number never changes:
 * a vocabulary only grows.
 *
 * <p>Immutable, so any thread may use it.
 */
public final class Vocabulary implements Serializable {

  /** Has no word yet. */
  public static final Vocabulary EMPTY = new Vocabulary(List.of());

  /** A longer word, in UTF-16 units, never gets a number: it would be in every checkpoint. */
  public static final int MOST_LENGTH = 256;

  /**
   * Orders words by their UTF-8 bytes, which is the same in every language: the order of code
   * points.
   */
  public static final Comparator<String> ORDER = Vocabulary::compare;

  /** A word takes as many in JSON beside its letters: quotes, a count, and what lies between. */
  private static final int BESIDE = 40;

  private final List<String> words;
  private final Map<String, Integer> numbers;
  private final long jsonBytes;

  /**
   * @throws IllegalArgumentException if a word is there twice
   */
  public Vocabulary(List<String> words) {
    this.words = List.copyOf(words);
    this.numbers = new HashMap<>();
    for (String word : this.words) {
      if (numbers.put(word, WordColumn.FIRST + numbers.size()) != null) {
        throw new IllegalArgumentException("The word \"%s\" is there twice".formatted(word));
      }
    }
    this.jsonBytes = this.words.stream().mapToLong(Vocabulary::jsonBytes).sum();
  }

  /**
   * The number of a word: {@link WordColumn#MISSING} of null, {@link WordColumn#OTHER} of one that
   * has none. Nothing is allocated.
   */
  public int number(String wordOrNull) {
    if (wordOrNull == null) {
      return WordColumn.MISSING;
    }
    Integer number = numbers.get(wordOrNull);
    if (number == null && !isWellFormed(wordOrNull)) {
      number = numbers.get(wellFormed(wordOrNull));
    }
    return number == null ? WordColumn.OTHER : number;
  }

  /** Whether the word has a number. */
  public boolean has(String word) {
    return numbers.containsKey(word);
  }

  /** The first has the number {@link WordColumn#FIRST}. */
  public List<String> words() {
    return words;
  }

  public int size() {
    return words.size();
  }

  /** Returns how many bytes all words take in an archive's JSON, with their counts, at most. */
  long jsonBytes() {
    return jsonBytes;
  }

  /** Returns how many bytes a word takes in an archive's JSON, with its count, at most. */
  static long jsonBytes(String word) {
    long bytes = BESIDE;
    for (int i = 0; i < word.length(); i++) {
      char unit = word.charAt(i);
      // A control character is escaped by six others, a quote or a backslash by one.
      bytes += unit < ' ' ? 6 : unit < 0x80 ? 2 : 3;
    }
    return bytes;
  }

  /** This one, with further words behind its own. */
  Vocabulary with(List<String> more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(more);
    return new Vocabulary(all);
  }

  /** The word as UTF-8 has it: a half of a surrogate pair alone becomes a question mark. */
  static String wellFormed(String word) {
    return isWellFormed(word) ? word : new String(utf8(word), StandardCharsets.UTF_8);
  }

  private static boolean isWellFormed(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (Character.isSurrogate(word.charAt(i))) {
        boolean pair =
            i + 1 < word.length() && Character.isSurrogatePair(word.charAt(i), word.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  private static int compare(String one, String other) {
    int common = Math.min(one.length(), other.length());
    for (int i = 0; i < common; i++) {
      int difference = rank(one.charAt(i)) - rank(other.charAt(i));
      if (difference != 0) {
        return difference;
      }
    }
    return one.length() - other.length();
  }

  /** Surrogates stand for code points above all that are a single unit. */
  private static int rank(char unit) {
    return Character.isSurrogate(unit) ? unit + Character.MAX_VALUE : unit;
  }

  private static byte[] utf8(String word) {
    return word.getBytes(StandardCharsets.UTF_8);
  }

  static void writeWord(String word, DataOutput out) throws IOException {
    BulkArrays.writeBytes(out, utf8(word));
  }

  static String readWord(DataInput in) throws IOException {
    return new String(BulkArrays.readBytes(in), StandardCharsets.UTF_8);
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(words.size());
    for (String word : words) {
      writeWord(word, out);
    }
  }

  static Vocabulary read(DataInput in) throws IOException {
    List<String> words = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      words.add(readWord(in));
    }
    return words.isEmpty() ? EMPTY : new Vocabulary(words);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Vocabulary vocabulary && words.equals(vocabulary.words);
  }

  @Override
  public int hashCode() {
    return words.hashCode();
  }

  @Override
  public String toString() {
    return words.toString();
  }
}
