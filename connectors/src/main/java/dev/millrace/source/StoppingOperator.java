package dev.millrace.source;

import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;

/**
 * An operator that works in mails, and knows when its work is over: once it has saved the savepoint
 * that its job stops with. Flink (2.3) ends timers and input then, and still runs mails until the
 * savepoint is complete. What they do belongs to the job that continues from the savepoint.
 *
 * @param <T> what it emits
 */
public abstract class StoppingOperator<T> extends AbstractStreamOperator<T> {

  private transient boolean stopped;

  @Override
  public OperatorSnapshotFutures snapshotState(
      long checkpointId, long timestamp, CheckpointOptions options, CheckpointStreamFactory storage)
      throws Exception {
    OperatorSnapshotFutures saved = super.snapshotState(checkpointId, timestamp, options, storage);
    // A savepoint that fails afterwards fails the job, so this attempt never goes on.
    stopped =
        stopped
            || (options.getCheckpointType() instanceof SavepointType savepoint
                && savepoint.isSynchronous());
    return saved;
  }

  /** Whether the work is over, since the savepoint that the job stops with holds the rest. */
  protected final boolean isStopped() {
    return stopped;
  }
}
