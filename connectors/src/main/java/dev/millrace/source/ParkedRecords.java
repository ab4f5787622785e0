package dev.millrace.source;

import dev.millrace.example.Example;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Records that an operator can't take yet, in the order in which they came. They are its state.
 *
 * <p>Belongs to the task's thread.
 *
 * @param <T> the records
 */
public final class ParkedRecords<T> {

  private final TypeSerializer<T> serializer;
  private final boolean copies;
  private final ListState<Tuple2<Long, T>> state;
  private final Queue<StreamRecord<T>> records = new ArrayDeque<>();

  /**
   * Continues with what a checkpoint gave to this task.
   *
   * @param name of the state
   * @param serializer of the records
   * @param reused whether Flink hands out records that it changes later
   */
  public ParkedRecords(
      String name, TypeSerializer<T> serializer, boolean reused, StateInitializationContext context)
      throws Exception {
    this.serializer = serializer;
    this.copies = reused;
    this.state = context.getOperatorStateStore().getListState(descriptor(name, serializer));
    for (Tuple2<Long, T> record : state.get()) {
      records.add(
          record.f0 == Example.NO_TIMESTAMP
              ? new StreamRecord<>(record.f1)
              : new StreamRecord<>(record.f1, record.f0));
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // A class has no type arguments.
  private static <T> ListStateDescriptor<Tuple2<Long, T>> descriptor(
      String name, TypeSerializer<T> serializer) {
    return new ListStateDescriptor<>(
        name,
        new TupleSerializer<Tuple2<Long, T>>(
            (Class) Tuple2.class, new TypeSerializer<?>[] {LongSerializer.INSTANCE, serializer}));
  }

  /** Returns a record that stays as it is, whatever Flink does with the one that it handed out. */
  public StreamRecord<T> copy(StreamRecord<T> record) {
    T value = record.getValue();
    return record.copy(copies ? serializer.copy(value) : value);
  }

  /** Adds what {@link #copy} returned. */
  public void add(StreamRecord<T> record) {
    records.add(record);
  }

  /** Takes the oldest record out; null if there is none. */
  public StreamRecord<T> poll() {
    return records.poll();
  }

  public boolean isEmpty() {
    return records.isEmpty();
  }

  public int size() {
    return records.size();
  }

  /** Puts all records into the checkpoint that is made now. */
  public void save() throws Exception {
    List<Tuple2<Long, T>> saved = new ArrayList<>(records.size());
    for (StreamRecord<T> record : records) {
      saved.add(Tuple2.of(time(record), record.getValue()));
    }
    state.update(saved);
  }

  /** Returns the time of a record as examples have it. */
  public static long time(StreamRecord<?> record) {
    return record.hasTimestamp() ? record.getTimestamp() : Example.NO_TIMESTAMP;
  }
}
