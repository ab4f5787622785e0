package dev.millrace.model.shape;

import java.io.Serializable;
import java.util.Objects;

/**
 * A word of each example that becomes features by a vocabulary which the model learns: the most
 * frequent words, each with a number of its own that it keeps.
 *
 * @param name of the field that it comes from, which tells vocabularies apart
 * @param words how many the vocabulary may hold, at least 1
 * @param from the first feature that the word decides, counted from the start of the example, or of
 *     each step of a sequence
 * @param oneHot whether each number has a feature of its own; otherwise the number is the feature,
 *     as for an embedding
 */
public record WordColumn(String name, int words, int from, boolean oneHot) implements Serializable {

  /** The number of every word that isn't in the vocabulary. */
  public static final int OTHER = 0;

  /** The number where there is no word. */
  public static final int MISSING = 1;

  /** The number of the vocabulary's first word. */
  public static final int FIRST = 2;

  public WordColumn {
    Objects.requireNonNull(name, "name");
    if (words < 1 || from < 0) {
      throw new IllegalArgumentException(
          "A vocabulary of %s words from feature %s".formatted(words, from));
    }
  }

  /** Returns how many numbers there are: the vocabulary's, other and missing. */
  public int numbers() {
    return FIRST + words;
  }

  /** Returns how many features the word becomes. */
  public int width() {
    return oneHot ? numbers() : 1;
  }
}
