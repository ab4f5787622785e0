package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.exchange.rows.RowHook;
import dev.millrace.exchange.rows.RowRouter;
import dev.millrace.exchange.rows.RowTable;
import java.util.List;

/**
 * Makes each replica's side of embedding tables. There are as many shards as replicas.
 *
 * @param tables in the order of their numbers
 * @param keyGroups of the rows' operator
 * @param prefetch minibatches whose rows are pulled ahead of their turn; with 0 each is pulled
 *     behind the push of the one before
 * @param ordered whether shards apply pushes in replica order, and are told of rounds
 * @param tellsUses whether minibatches of two inputs are told how often the second one was used
 */
public record RowHooks(
    List<RowTable> tables, int keyGroups, int prefetch, boolean ordered, boolean tellsUses)
    implements ReplicaHookFactory {

  public RowHooks {
    tables = List.copyOf(tables);
  }

  @Override
  public ReplicaHook hook(HookContext context) {
    RowKeys keys = new RowKeys(keyGroups, context.replicas());
    return new RowHook(
        new RowRouter(tables, keys.names(), keys::shardOf), context, ordered, tellsUses);
  }

  @Override
  public boolean usesInputGradients() {
    return true;
  }

  @Override
  public boolean usesTimes() {
    return tables.stream()
        .map(RowTable::expiry)
        .anyMatch(expiry -> expiry.expires() && expiry.byTime());
  }
}
