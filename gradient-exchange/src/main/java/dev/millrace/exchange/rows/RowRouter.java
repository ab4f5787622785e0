package dev.millrace.exchange.rows;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;

/** Says which shards a minibatch's ids go to. Any thread may use it. */
public final class RowRouter {

  private final List<RowTable> tables;
  private final int[] names;
  private final LongToIntFunction shardOf;
  private final boolean expires;

  /** Routes to shards whose names are their numbers, as the other constructor says. */
  public RowRouter(List<RowTable> tables, int shards, LongToIntFunction shardOf) {
    this(tables, IntStream.range(0, shards).toArray(), shardOf);
  }

  /**
   * @param tables in the order of their numbers
   * @param names what each shard is called in messages, ascending
   * @param shardOf says to which of the shards an id belongs, by its number
   */
  public RowRouter(List<RowTable> tables, int[] names, LongToIntFunction shardOf) {
    this.tables = List.copyOf(tables);
    this.names = names.clone();
    this.shardOf = shardOf;
    this.expires = tables.stream().anyMatch(table -> table.expiry().expires());
  }

  /** Splits the different ids of a minibatch by shard; later changes of them don't matter. */
  public RoutedIds route(TableIds ids) {
    return new RoutedIds(this, ids);
  }

  List<RowTable> tables() {
    return tables;
  }

  int shards() {
    return names.length;
  }

  /** Returns what a shard is called in messages. */
  int name(int shard) {
    return names[shard];
  }

  /** Returns the number of the shard that messages call so. */
  int shardNamed(int name) {
    int shard = Arrays.binarySearch(names, name);
    if (shard < 0) {
      throw new IllegalStateException(
          "A message is of shard %s, and there are %s".formatted(name, Arrays.toString(names)));
    }
    return shard;
  }

  int shardOf(long id) {
    int shard = shardOf.applyAsInt(id);
    if (shard < 0 || shard >= shards()) {
      throw new IllegalStateException(
          "Id %s is of shard %s, and there are %s".formatted(id, shard, shards()));
    }
    return shard;
  }

  /** Whether shards are told of minibatches without an id of theirs. */
  boolean tellsAll() {
    return expires;
  }
}
