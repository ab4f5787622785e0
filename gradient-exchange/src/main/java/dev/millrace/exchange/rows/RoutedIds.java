package dev.millrace.exchange.rows;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The different ids of one minibatch, split by shard: makes its pulls and pushes, and puts the
 * answers together in the order that the ids had. Belongs to one thread.
 */
public final class RoutedIds {

  private final RowRouter router;

  /** The ids of each table, shard by shard. */
  private final long[][] ids;

  /** The number of each of {@link #ids} among the table's different ids. */
  private final int[][] numbers;

  private final int[][] uses;

  /** Places in {@link #ids} where those of a shard begin, and behind the last one where all end. */
  private final int[][] starts;

  private final BitSet awaited = new BitSet();

  RoutedIds(RowRouter router, TableIds minibatch) {
    int tables = router.tables().size();
    if (minibatch.tables() != tables) {
      throw new IllegalArgumentException(
          "A minibatch has ids of %s tables, and there are %s"
              .formatted(minibatch.tables(), tables));
    }
    this.router = router;
    this.ids = new long[tables][];
    this.numbers = new int[tables][];
    this.uses = new int[tables][];
    this.starts = new int[tables][];
    for (int table = 0; table < tables; table++) {
      split(table, minibatch.unique(table));
    }
    for (int shard = 0; shard < router.shards(); shard++) {
      awaited.set(shard, count(shard) > 0);
    }
  }

  private void split(int table, UniqueIds unique) {
    int size = unique.size();
    int[] shardOf = new int[size];
    int[] start = new int[router.shards() + 1];
    for (int i = 0; i < size; i++) {
      shardOf[i] = router.shardOf(unique.ids()[i]);
      start[shardOf[i] + 1]++;
    }
    for (int shard = 0; shard < router.shards(); shard++) {
      start[shard + 1] += start[shard];
    }
    ids[table] = new long[size];
    numbers[table] = new int[size];
    uses[table] = new int[size];
    starts[table] = start;
    int[] next = Arrays.copyOf(start, router.shards());
    for (int i = 0; i < size; i++) {
      int at = next[shardOf[i]]++;
      ids[table][at] = unique.ids()[i];
      numbers[table][at] = i;
      uses[table][at] = unique.counts()[i];
    }
  }

  private int count(int table, int shard) {
    return starts[table][shard + 1] - starts[table][shard];
  }

  private int count(int shard) {
    int count = 0;
    for (int table = 0; table < starts.length; table++) {
      count += count(table, shard);
    }
    return count;
  }

  private int floats(int shard) {
    int floats = 0;
    for (int table = 0; table < starts.length; table++) {
      floats = Math.addExact(floats, Math.multiplyExact(count(table, shard), dimension(table)));
    }
    return floats;
  }

  private int dimension(int table) {
    return router.tables().get(table).dimension();
  }

  /** Returns whether a shard is to be sent a pull. */
  public boolean pulls(int shard) {
    return count(shard) > 0;
  }

  /** Returns whether a shard is to be sent a push. */
  public boolean pushes(int shard) {
    return count(shard) > 0 || router.tellsAll();
  }

  /** Returns the pull for a shard. */
  public RowPull pull(int shard, int replica, long number, String home, boolean wantsUses) {
    return new RowPull(
        router.name(shard), ends(shard), ids(shard), replica, number, home, wantsUses);
  }

  private int[] ends(int shard) {
    int[] ends = new int[starts.length];
    int end = 0;
    for (int table = 0; table < ends.length; table++) {
      end += count(table, shard);
      ends[table] = end;
    }
    return ends;
  }

  private long[] ids(int shard) {
    long[] all = new long[count(shard)];
    int at = 0;
    for (int table = 0; table < starts.length; table++) {
      int n = count(table, shard);
      System.arraycopy(ids[table], starts[table][shard], all, at, n);
      at += n;
    }
    return all;
  }

  /**
   * Puts a shard's answer into its places.
   *
   * @param rows for each table the values of its different ids, in the order of their numbers
   * @param usesOrNull for each table how often the rows of these ids were used; null where the pull
   *     doesn't want it
   * @throws IllegalArgumentException if the answer has another length than was asked for
   */
  public void place(RowAnswer answer, float[][] rows, int[][] usesOrNull) {
    int shard = router.shardNamed(answer.shard());
    if (answer.values().length != floats(shard)) {
      throw new IllegalArgumentException(
          "Shard %s answers pull %s with %s values, and %s were asked for"
              .formatted(shard, answer.number(), answer.values().length, floats(shard)));
    }
    int wanted = usesOrNull == null ? 0 : count(shard);
    if (answer.uses().length != wanted) {
      throw new IllegalArgumentException(
          "Shard %s answers pull %s with the uses of %s ids, and %s were asked for"
              .formatted(shard, answer.number(), answer.uses().length, wanted));
    }
    int from = 0;
    int id = 0;
    for (int table = 0; table < starts.length; table++) {
      int dimension = dimension(table);
      for (int at = starts[table][shard]; at < starts[table][shard + 1]; at++) {
        System.arraycopy(
            answer.values(), from, rows[table], numbers[table][at] * dimension, dimension);
        if (usesOrNull != null) {
          usesOrNull[table][numbers[table][at]] = answer.uses()[id++];
        }
        from += dimension;
      }
    }
    awaited.clear(shard);
  }

  /** Returns whether each shard that was asked has answered. */
  public boolean complete() {
    return awaited.isEmpty();
  }

  /**
   * Returns the push for a shard.
   *
   * @param gradients for each table those of its different ids, in the order of their numbers
   */
  public RowPush push(
      int shard, int replica, long number, float[][] gradients, RowMinibatch minibatch) {
    int[] allUses = new int[count(shard)];
    float[] all = new float[floats(shard)];
    int first = 0;
    int to = 0;
    for (int table = 0; table < starts.length; table++) {
      int n = count(table, shard);
      System.arraycopy(uses[table], starts[table][shard], allUses, first, n);
      first += n;
      int dimension = dimension(table);
      for (int at = starts[table][shard]; at < starts[table][shard + 1]; at++) {
        System.arraycopy(gradients[table], numbers[table][at] * dimension, all, to, dimension);
        to += dimension;
      }
    }
    return new RowPush(
        router.name(shard), ends(shard), ids(shard), replica, number, allUses, all, minibatch);
  }
}
