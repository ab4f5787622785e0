package dev.millrace.exchange.savepoint;

import dev.millrace.exchange.flink.rows.RowOperator;
import dev.millrace.exchange.rows.OrderedPushes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.base.LongSerializer;

/** Uses of ids that are in no row yet, since shards hold their pushes to the end of the round. */
public final class HeldUses {

  private HeldUses() {}

  /**
   * Returns them by the names of tables; none of a table that has none. It takes a pass over all of
   * a savepoint unless RocksDB wrote it.
   *
   * @param rowsUid of the operator that keeps the rows
   * @throws SavepointException if they can't be read
   */
  public static Map<String, Long> of(SavedStates states, String rowsUid) throws SavepointException {
    Map<String, Long> uses = new HashMap<>();
    states.forEach(
        rowsUid,
        List.of(RowOperator.PUSHES_STATE),
        LongSerializer.INSTANCE,
        (state, namespace, key, in, length) -> {
          byte[] saved = new byte[length];
          in.readFully(saved);
          OrderedPushes.usesIn(saved).forEach((table, held) -> uses.merge(table, held, Long::sum));
        });
    return uses;
  }
}
