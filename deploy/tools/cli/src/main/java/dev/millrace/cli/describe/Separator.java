package dev.millrace.cli.describe;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Finds out whether texts are lists: pieces that come again, with one separator between them. */
final class Separator {

  private static final List<String> SEPARATORS = List.of("|", ";", ",");

  /** Pieces of a sentence are longer, on average. */
  private static final int LONG_PIECE = 24;

  private Separator() {}

  /**
   * Finds the separator.
   *
   * @param texts distinct ones
   */
  static Optional<String> of(Collection<String> texts) {
    return SEPARATORS.stream().filter(separator -> separates(separator, texts)).findFirst();
  }

  private static boolean separates(String separator, Collection<String> texts) {
    ListProfile lists = new ListProfile();
    for (String text : texts) {
      lists.add(pieces(separator, text));
    }
    return lists.repeats() && lists.varies() && lists.areSeveral() && lists.length() <= LONG_PIECE;
  }

  /** Returns the pieces of a text, as a field of ids has them. */
  static List<String> pieces(String separator, String text) {
    List<String> pieces = new ArrayList<>();
    int from = 0;
    while (from <= text.length()) {
      int found = text.indexOf(separator, from);
      int to = found < 0 ? text.length() : found;
      String piece = text.substring(from, to).strip();
      if (!piece.isEmpty()) {
        pieces.add(piece);
      }
      from = to + separator.length();
    }
    return pieces;
  }
}
