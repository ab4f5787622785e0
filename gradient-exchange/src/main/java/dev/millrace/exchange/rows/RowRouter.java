package dev.millrace.exchange.rows;

import java.util.List;
import java.util.function.LongToIntFunction;

/** Says which shards a minibatch's ids go to. Any thread may use it. */
public final class RowRouter {

  private final List<RowTable> tables;
  private final int shards;
  private final LongToIntFunction shardOf;
  private final boolean expires;

  /**
   * @param tables in the order of their numbers
   * @param shardOf says to which of {@code shards} shards an id belongs
   */
  public RowRouter(List<RowTable> tables, int shards, LongToIntFunction shardOf) {
    this.tables = List.copyOf(tables);
    this.shards = shards;
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
    return shards;
  }

  int shardOf(long id) {
    int shard = shardOf.applyAsInt(id);
    if (shard < 0 || shard >= shards) {
      throw new IllegalStateException(
          "Id %s is of shard %s, and there are %s".formatted(id, shard, shards));
    }
    return shard;
  }

  /** Whether shards are told of minibatches without an id of theirs. */
  boolean tellsAll() {
    return expires;
  }
}
