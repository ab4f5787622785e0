package dev.millrace.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers the records of splits, from 0 in each. What it knows goes with the splits from reader to
 * reader.
 *
 * <p>Not every reader tells which split a record is of. Such records are numbered together, under
 * the name of the first split that the reader was given. That number may be needed when the split
 * has ended, so another split carries it then.
 *
 * <p>Not thread-safe.
 */
final class SplitCounts {

  /** How many records have been read under a split's name. */
  record Count(String name, long next) {}

  private final Map<String, Long> next = new LinkedHashMap<>();
  private String untold;

  /**
   * Takes a split over.
   *
   * @param counts that it comes with, its own and others that it carries
   */
  void add(String split, List<Count> counts) {
    for (Count count : counts) {
      next.put(count.name(), count.next());
      if (untold == null) {
        untold = count.name();
      }
    }
    if (untold == null) {
      untold = split;
    }
  }

  /**
   * Returns under which name the records are that nobody tells the split of; null before any split.
   */
  String untold() {
    return untold;
  }

  /** The number of the next record under a name. */
  long take(String name) {
    long index = next.getOrDefault(name, 0L);
    next.put(name, index + 1);
    return index;
  }

  /** A split has ended whose records were told apart. */
  void end(String split) {
    if (!split.equals(untold)) {
      next.remove(split);
    }
  }

  /**
   * Returns what each of the splits has to come with, so that whoever reads them next goes on.
   * Without a split nothing is kept: no record follows that would need it.
   *
   * @param splits that are being read
   */
  List<List<Count>> save(List<String> splits) {
    Map<String, Long> left = new LinkedHashMap<>(next);
    List<List<Count>> counts = new ArrayList<>();
    for (String split : splits) {
      List<Count> own = new ArrayList<>();
      Long index = left.remove(split);
      if (index != null) {
        own.add(new Count(split, index));
      }
      counts.add(own);
    }
    if (!counts.isEmpty()) {
      left.forEach((name, index) -> counts.get(0).add(new Count(name, index)));
    }
    return counts;
  }
}
