package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.rows.RowMessage;
import org.apache.flink.api.java.functions.KeySelector;

/**
 * A key of the key group that a message's shard is called by. So Flink sends it to that shard
 * however many there are: a scheduler may run a job with fewer than it was submitted with.
 */
public final class RowMessageKey implements KeySelector<RowMessage, Long> {

  private static final long serialVersionUID = 1;

  private final long[][] keys;

  /** {@code keyGroups} is the maximum parallelism of the rows' operator. */
  public RowMessageKey(int keyGroups) {
    this.keys = RowKeys.keysOfGroups(keyGroups, 1);
  }

  @Override
  public Long getKey(RowMessage message) {
    return keys[message.shard()][0];
  }
}
