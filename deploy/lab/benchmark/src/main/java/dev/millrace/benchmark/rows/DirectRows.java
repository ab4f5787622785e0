package dev.millrace.benchmark.rows;

import dev.millrace.exchange.hook.HookMessage;
import dev.millrace.exchange.hook.HookPort;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.rows.KeyGroups;
import dev.millrace.exchange.rows.RowPull;
import dev.millrace.exchange.rows.RowPush;
import dev.millrace.exchange.rows.RowShard;
import dev.millrace.exchange.rows.RowStore;
import dev.millrace.exchange.rows.RowTable;
import java.util.Arrays;
import java.util.List;

/** All rows on the heap, which answer a hook at once. Belongs to one thread. */
final class DirectRows implements HookPort {

  private static final int MOST_ROWS = 1 << 26;

  private final RowShard shard;
  private ReplicaHook hook;

  DirectRows(List<RowTable> tables) {
    List<RowStore> stores = tables.stream().<RowStore>map(table -> new NoStore()).toList();
    int[] cached = new int[tables.size()];
    Arrays.fill(cached, MOST_ROWS);
    shard = new RowShard(tables, stores, new KeyGroups(0, 0, 1, id -> 0), cached);
  }

  /** Names the hook, before it sends anything. */
  void answerTo(ReplicaHook replicas) {
    hook = replicas;
  }

  /** Rows of a table. */
  long rows(int table) {
    return shard.counts(table).rows();
  }

  @Override
  public void send(HookMessage message) {
    if (message instanceof RowPull pull) {
      hook.accept(shard.answer(pull));
    } else if (message instanceof RowPush push) {
      shard.apply(push);
    }
  }

  @Override
  public String home() {
    return "here";
  }
}
