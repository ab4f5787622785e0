package dev.millrace.source;

import dev.millrace.model.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * Numbers the records of a stream that has no places of its own: those that a subtask takes are the
 * partition of its index, from 0 on. The numbers are state. Each subtask knows those of all, so one
 * that returns after the job had fewer goes on where it stopped, and no number is given twice.
 */
final class StreamPlace {

  private static final String STATE = "places";

  private final Partition partition;
  private final int index;
  private final int subtasks;
  private final ListState<Tuple2<Integer, Long>> state;

  /** By partition, as of the checkpoint that the job began with; this one's is in {@link #next}. */
  private final TreeMap<Integer, Long> known = new TreeMap<>();

  private long next;

  StreamPlace(String stream, TaskInfo task, StateInitializationContext context) throws Exception {
    this.index = task.getIndexOfThisSubtask();
    this.subtasks = task.getNumberOfParallelSubtasks();
    this.partition = new Partition(stream, index);
    this.state = context.getOperatorStateStore().getUnionListState(descriptor());
    for (Tuple2<Integer, Long> place : state.get()) {
      known.put(place.f0, place.f1);
    }
    this.next = known.getOrDefault(index, 0L);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // A class has no type arguments.
  private static ListStateDescriptor<Tuple2<Integer, Long>> descriptor() {
    return new ListStateDescriptor<>(
        STATE,
        new TupleSerializer<Tuple2<Integer, Long>>(
            (Class) Tuple2.class,
            new TypeSerializer<?>[] {IntSerializer.INSTANCE, LongSerializer.INSTANCE}));
  }

  Partition partition() {
    return partition;
  }

  /** The number of the next record. */
  long take() {
    return next++;
  }

  /** The first subtask saves those of subtasks that aren't there now, too. */
  void save() throws Exception {
    List<Tuple2<Integer, Long>> places = new ArrayList<>();
    places.add(Tuple2.of(index, next));
    if (index == 0) {
      known
          .tailMap(subtasks, true)
          .forEach((number, records) -> places.add(Tuple2.of(number, records)));
    }
    state.update(places);
  }
}
