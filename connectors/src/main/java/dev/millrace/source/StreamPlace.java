package dev.millrace.source;

import dev.millrace.model.Partition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * Numbers the records of a stream that has no places of its own. A subtask numbers the records that
 * it takes from 0 on, in a partition of its own. The partition is state: a restore deals each one
 * to one subtask, which goes on in the first that it gets and keeps the others for later. A subtask
 * that gets none begins a new partition, which has the restored checkpoint in its name. So no
 * number is given twice, though a subtask that has ended leaves no state.
 *
 * <p>It is no union list: Flink (2.3) completes no checkpoint of a task that has one once some of
 * its subtasks have ended.
 */
final class StreamPlace {

  private static final String STATE = "places";
  private static final byte FORMAT = 1;

  /** Checkpoints count from 1. */
  private static final long WITHOUT_CHECKPOINT = 0;

  private final ListState<byte[]> state;

  /** Partitions of subtasks that aren't there now. */
  private final List<byte[]> others = new ArrayList<>();

  private final long checkpoint;
  private final Partition partition;
  private long next;

  /**
   * Continues from what a checkpoint gave to this task.
   *
   * @param stream name of all its partitions, or what their names begin with
   */
  StreamPlace(String stream, TaskInfo task, StateInitializationContext context) throws Exception {
    state =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>(STATE, BytePrimitiveArraySerializer.INSTANCE));
    state.get().forEach(others::add);
    ByteBuffer own =
        ByteBuffer.wrap(
            others.isEmpty()
                ? bytes(
                    context.getRestoredCheckpointId().orElse(WITHOUT_CHECKPOINT),
                    task.getIndexOfThisSubtask(),
                    0)
                : others.remove(0));
    byte format = own.get();
    if (format != FORMAT) {
      throw new IOException("Places of a stream's records of another format version: " + format);
    }
    checkpoint = own.getLong();
    partition =
        new Partition(
            checkpoint == WITHOUT_CHECKPOINT ? stream : stream + "@" + checkpoint, own.getInt());
    next = own.getLong();
  }

  private static byte[] bytes(long checkpoint, int number, long next) {
    return ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES + Long.BYTES)
        .put(FORMAT)
        .putLong(checkpoint)
        .putInt(number)
        .putLong(next)
        .array();
  }

  Partition partition() {
    return partition;
  }

  /** The number of the next record. */
  long take() {
    return next++;
  }

  /** Its own comes first: with as many subtasks each goes on in it. */
  void save() throws Exception {
    List<byte[]> places = new ArrayList<>(others);
    places.add(0, bytes(checkpoint, partition.number(), next));
    state.update(places);
  }
}
