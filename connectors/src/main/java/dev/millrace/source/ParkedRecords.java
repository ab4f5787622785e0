package dev.millrace.source;

import dev.millrace.example.Example;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * Records that an operator can't take yet, in the order in which they came. They are its state, as
 * {@link RecordStrings}: where none are parked, a checkpoint knows nothing of their type, which may
 * be another one afterwards.
 *
 * <p>Belongs to the task's thread.
 *
 * @param <T> the records
 */
public final class ParkedRecords<T> {

  private final TypeSerializer<T> serializer;
  private final boolean copies;
  private final ProcessingTimeService timers;
  private final RecordStrings<T> strings;
  private final ListState<byte[]> state;
  private final Queue<StreamRecord<T>> records = new ArrayDeque<>();

  /**
   * Continues with what a checkpoint gave to this task.
   *
   * @param name of the state
   * @param serializer of the records
   * @param operator that parks them
   * @throws OtherRecordsException if records of another type are parked in the checkpoint
   */
  public ParkedRecords(
      String name,
      TypeSerializer<T> serializer,
      AbstractStreamOperator<?> operator,
      StateInitializationContext context)
      throws Exception {
    this.serializer = serializer;
    // Flink changes records later that it has handed out then.
    this.copies = operator.getExecutionConfig().isObjectReuseEnabled();
    this.timers = operator.getProcessingTimeService();
    this.strings = new RecordStrings<>(serializer, operator.getUserCodeClassloader());
    this.state =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>(name, BytePrimitiveArraySerializer.INSTANCE));
    for (byte[] string : state.get()) {
      strings.read(string, records::add);
    }
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

  /**
   * Waits while more than {@code most} records are parked, and never for good: as many milliseconds
   * as there are that number of records. So k times as many are parked after k² / 2 milliseconds
   * times the number, and what is before the operator waits. Mails run all the time, and with them
   * what takes records out.
   */
  public void awaitRoom(int most, MailboxExecutor mailbox) throws InterruptedException {
    if (records.size() <= most) {
      return;
    }
    AtomicBoolean waited = new AtomicBoolean();
    ScheduledFuture<?> timer =
        timers.registerTimer(
            timers.getCurrentProcessingTime() + records.size() / (most + 1),
            time -> waited.set(true));
    while (records.size() > most && !waited.get()) {
      mailbox.yield();
    }
    timer.cancel(false);
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
    state.update(strings.write(records));
  }

  /** Returns the time of a record as examples have it. */
  public static long time(StreamRecord<?> record) {
    return record.hasTimestamp() ? record.getTimestamp() : Example.NO_TIMESTAMP;
  }
}
