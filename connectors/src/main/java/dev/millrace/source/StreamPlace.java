package dev.millrace.source;

import dev.millrace.model.Partition;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
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

  /** Checkpoints count from 1. */
  private static final long WITHOUT_CHECKPOINT = 0;

  private final Partition partition;
  private final long checkpoint;
  private final ListState<Tuple3<Long, Integer, Long>> state;

  /** Partitions of subtasks that aren't there now. */
  private final List<Tuple3<Long, Integer, Long>> others = new ArrayList<>();

  private long next;

  /**
   * Continues from what a checkpoint gave to this task.
   *
   * @param stream name of all its partitions, or what their names begin with
   */
  StreamPlace(String stream, TaskInfo task, StateInitializationContext context) throws Exception {
    this.state = context.getOperatorStateStore().getListState(descriptor());
    for (Tuple3<Long, Integer, Long> place : state.get()) {
      others.add(place);
    }
    Tuple3<Long, Integer, Long> own =
        others.isEmpty()
            ? Tuple3.of(
                context.getRestoredCheckpointId().orElse(WITHOUT_CHECKPOINT),
                task.getIndexOfThisSubtask(),
                0L)
            : others.remove(0);
    this.checkpoint = own.f0;
    this.partition =
        new Partition(
            checkpoint == WITHOUT_CHECKPOINT ? stream : stream + "@" + checkpoint, own.f1);
    this.next = own.f2;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // A class has no type arguments.
  private static ListStateDescriptor<Tuple3<Long, Integer, Long>> descriptor() {
    return new ListStateDescriptor<>(
        STATE,
        new TupleSerializer<Tuple3<Long, Integer, Long>>(
            (Class) Tuple3.class,
            new TypeSerializer<?>[] {
              LongSerializer.INSTANCE, IntSerializer.INSTANCE, LongSerializer.INSTANCE
            }));
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
    List<Tuple3<Long, Integer, Long>> places = new ArrayList<>(others);
    places.add(0, Tuple3.of(checkpoint, partition.number(), next));
    state.update(places);
  }
}
