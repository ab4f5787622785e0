package dev.millrace.cli.describe;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the lists of one field are, in a sample: arrays, or texts whose pieces have a separator
 * between them.
 *
 * <p>Not thread-safe.
 */
final class ListProfile {

  private static final int FEWEST = 10;
  private static final int MOST_KEPT = 10_000;
  private static final int MOST_LENGTHS = 1_000;

  private final Set<String> words = new HashSet<>();
  private final DistinctCount distinct = new DistinctCount();
  private final Map<Integer, Long> lengths = new HashMap<>();
  private long lists;
  private long elements;
  private long several;
  private long characters;

  /** Takes in a list. */
  void add(List<String> list) {
    lists++;
    several += list.size() > 1 ? 1 : 0;
    if (lengths.size() < MOST_LENGTHS || lengths.containsKey(list.size())) {
      lengths.merge(list.size(), 1L, Long::sum);
    }
    for (String word : list) {
      elements++;
      characters += word.length();
      distinct.add(word);
      if (words.size() < MOST_KEPT) {
        words.add(word);
      }
    }
  }

  long lists() {
    return lists;
  }

  /** Returns how many distinct elements there are, which is an estimate of many. */
  long distinct() {
    return words.size() < MOST_KEPT ? words.size() : Math.max(MOST_KEPT, distinct.estimate());
  }

  /** Returns the characters of an element, on average. */
  double length() {
    return (double) characters / Math.max(1, elements);
  }

  /** Whether elements come again in other lists, as those that name something do. */
  boolean repeats() {
    return lists >= FEWEST && distinct() > 1 && elements >= 2 * distinct();
  }

  /** Whether some of the lists have more elements than others: otherwise they may be vectors. */
  boolean varies() {
    long most = lengths.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return 20 * (lists - most) >= lists;
  }

  /** Whether many lists have several elements. */
  boolean areSeveral() {
    return 10 * several >= lists;
  }
}
