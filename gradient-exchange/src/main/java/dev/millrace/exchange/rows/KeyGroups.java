package dev.millrace.exchange.rows;

import java.util.function.LongToIntFunction;

/**
 * The key groups of a shard: it has the rows of the ids in them.
 *
 * @param first the first of them
 * @param last the last of them
 * @param total of all shards
 * @param groupOf says to which of {@code total} groups an id belongs
 */
public record KeyGroups(int first, int last, int total, LongToIntFunction groupOf) {

  public KeyGroups {
    if (first < 0 || last < first || total <= last) {
      throw new IllegalArgumentException(
          "A shard has the key groups %s to %s of %s".formatted(first, last, total));
    }
  }

  int size() {
    return last - first + 1;
  }
}
