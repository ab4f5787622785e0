package dev.millrace.job.options;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Finds the key that somebody probably meant. */
public final class NearestKey {

  private static final LevenshteinDistance EDITS = LevenshteinDistance.getDefaultInstance();

  /** Shorter ones begin too many words. */
  private static final int LEAST_ABBREVIATION = 3;

  /** Any letter is near to one, such as {@code -h}. */
  private static final Pattern SHORT_ARGUMENT = Pattern.compile("-[^-]");

  /** Keys have few parts, so sums of it don't overflow. */
  private static final int FAR = 1_000_000;

  private NearestKey() {}

  /**
   * The key at the least edit distance: of the whole key, or of its last parts, each of which must
   * be near. What is no key but what keys start with stands for the first of them. A word that
   * other tools have for a key stands for that one.
   *
   * @param keys options, and arguments such as {@code --parallelism}
   * @return empty where more than about a third of the letters differ
   */
  public static Optional<String> to(String wrong, Collection<String> keys) {
    String lower = wrong.toLowerCase(Locale.ROOT).replace('_', '-');
    return Synonyms.of(lower)
        .filter(key -> keys.contains(key) || key.startsWith(KafkaOptions.PREFIX))
        .or(() -> nearest(lower, keys));
  }

  private static Optional<String> nearest(String lower, Collection<String> keys) {
    return keys.stream()
        .filter(key -> !SHORT_ARGUMENT.matcher(key).matches())
        .filter(key -> distance(lower, key) < FAR)
        .min(Comparator.comparingInt(key -> distance(lower, key)));
  }

  private static int distance(String wrong, String candidate) {
    String key = candidate.replaceFirst("^-+", "");
    if (key.startsWith(wrong + ".")) {
      return 1;
    }
    int least = edits(wrong, key);
    for (int dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
      least = Math.min(least, edits(wrong, key.substring(dot + 1)) + 1);
    }
    return least;
  }

  private static int edits(String wrong, String key) {
    String[] wrongParts = wrong.split("\\.", -1);
    String[] parts = key.split("\\.", -1);
    if (wrongParts.length == parts.length) {
      return IntStream.range(0, parts.length).map(i -> editsOfPart(wrongParts[i], parts[i])).sum();
    }
    int last = editsOfPart(wrongParts[wrongParts.length - 1], parts[parts.length - 1]);
    int all = EDITS.apply(wrong, key);
    return last < FAR && all <= limit(wrong) ? all : FAR;
  }

  private static int editsOfPart(String wrong, String part) {
    if (isAbbreviation(wrong, part) || isAbbreviation(part, wrong)) {
      return 1;
    }
    int edits = EDITS.apply(wrong, part);
    return edits <= limit(wrong) ? edits : FAR;
  }

  private static boolean isAbbreviation(String start, String word) {
    return start.length() >= LEAST_ABBREVIATION
        && word.length() > start.length()
        && word.startsWith(start);
  }

  /** A word of which no letter is left is another word. */
  private static int limit(String wrong) {
    return Math.min(wrong.length() - 1, Math.max(2, wrong.length() / 3));
  }
}
