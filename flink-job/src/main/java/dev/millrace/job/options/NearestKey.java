package dev.millrace.job.options;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the key that somebody probably meant. */
final class NearestKey {

  private NearestKey() {}

  /**
   * The key at the least edit distance (Levenshtein 1966), by its whole name or by its last part;
   * none where more than a third of the letters differ.
   */
  static Optional<String> to(String wrong, Collection<String> keys) {
    return keys.stream()
        .filter(key -> distance(wrong, key) <= Math.max(2, wrong.length() / 3))
        .min(Comparator.comparingInt(key -> distance(wrong, key)));
  }

  private static int distance(String wrong, String key) {
    String last = key.substring(key.lastIndexOf('.') + 1);
    return Math.min(edits(wrong, key), edits(wrong, last) + 1);
  }

  private static int edits(String a, String b) {
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
      }
      above = row;
    }
    return above[b.length()];
  }
}
