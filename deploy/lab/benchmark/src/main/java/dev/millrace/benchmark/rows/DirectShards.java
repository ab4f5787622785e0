package dev.millrace.benchmark.rows;

import dev.millrace.exchange.hook.HookMessage;
import dev.millrace.exchange.hook.HookPort;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.rows.KeyGroups;
import dev.millrace.exchange.rows.RowMessage;
import dev.millrace.exchange.rows.RowPull;
import dev.millrace.exchange.rows.RowPush;
import dev.millrace.exchange.rows.RowShard;
import dev.millrace.exchange.rows.RowStore;
import dev.millrace.exchange.rows.RowTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Shards on the heap, which threads call one at a time. Thread-safe. */
final class DirectShards {

  private static final int MOST_ROWS = 1 << 26;

  private final List<RowShard> shards = new ArrayList<>();

  DirectShards(List<RowTable> tables, int count) {
    List<RowStore> stores = tables.stream().<RowStore>map(table -> new NoStore()).toList();
    int[] cached = new int[tables.size()];
    Arrays.fill(cached, MOST_ROWS);
    for (int shard = 0; shard < count; shard++) {
      KeyGroups groups = new KeyGroups(shard, shard, count, id -> shardOf(id, count));
      shards.add(new RowShard(tables, stores, groups, cached));
    }
  }

  static int shardOf(long id, int count) {
    return (int) Math.floorMod(id >>> 7, (long) count);
  }

  /** Rows of a table. */
  long rows(int table) {
    return shards.stream().mapToLong(shard -> shard.counts(table).rows()).sum();
  }

  /** Returns the way of one replica's hook, which is set before anything is sent. */
  Port port() {
    return new Port();
  }

  /** Answers at once. */
  final class Port implements HookPort {

    private ReplicaHook hook;

    void answerTo(ReplicaHook replicas) {
      hook = replicas;
    }

    @Override
    public void send(HookMessage message) {
      RowShard shard = shards.get(((RowMessage) message).shard());
      if (message instanceof RowPull pull) {
        HookMessage answer;
        synchronized (shard) {
          answer = shard.answer(pull);
        }
        hook.accept(answer);
      } else if (message instanceof RowPush push) {
        synchronized (shard) {
          shard.apply(push);
        }
      }
    }

    @Override
    public String home() {
      return "here";
    }
  }
}
