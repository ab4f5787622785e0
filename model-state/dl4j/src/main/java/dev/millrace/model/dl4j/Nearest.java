package dev.millrace.model.dl4j;

import java.util.Collection;
import java.util.Comparator;

/** Helps with misspelt names. */
final class Nearest {

  private Nearest() {}

  /** The remedy for a name that isn't among {@code names}: the nearest one, and all there are. */
  static String remedy(String name, Collection<String> names) {
    String nearest =
        names.stream().min(Comparator.comparingInt(other -> distance(name, other))).orElseThrow();
    return "did you mean '%s'? There are %s".formatted(nearest, String.join(", ", names));
  }

  /** Levenshtein distance: insertions, deletions and replacements from one word to the other. */
  static int distance(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[to.length() + 1];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(row[j - 1], above[j]));
      }
      above = row;
    }
    return above[to.length()];
  }
}
