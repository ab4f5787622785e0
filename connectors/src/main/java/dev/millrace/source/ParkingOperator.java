package dev.millrace.source;

import dev.millrace.example.Received;
import dev.millrace.model.shape.ExampleShape;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Holds back a stream, as {@link GatedSource} holds back a source: it makes examples of records
 * while the {@link SourceGate} of the operator chained behind it is open. It has to be the head of
 * their chain.
 *
 * <p>While the gate is shut it parks records in its state. From a number on each {@linkplain
 * ParkedRecords#awaitRoom waits} before the next is taken, and never for good: the gate may wait
 * for another replica, whose barrier is through and whose messages wait for the barrier here, which
 * is behind records that have to be taken. Mails run all the time, and with them what opens the
 * gate.
 *
 * <p>A record has its place when it becomes an example: {@link StreamPlace} numbers them. Nothing
 * behind it goes by the time of events, so watermarks end here.
 *
 * @param <T> the records
 */
public final class ParkingOperator<T> extends StoppingOperator<Received>
    implements OneInputStreamOperator<T, Received>, BoundedOneInput {

  private static final String PARKED = "parked";

  private final RecordMapping<T> mapping;
  private final ExampleShape shape;
  private final TypeSerializer<T> serializer;
  private final String stream;
  private final int mostParked;

  private transient RecordMapper<T> mapper;
  private transient SourceGate gate;
  private transient MailboxExecutor mailbox;
  private transient StreamPlace place;
  private transient ParkedRecords<T> parked;

  /**
   * @param serializer of the records
   * @param stream what ledgers call the stream
   * @param mostParked records that a subtask parks before the stream waits
   */
  public ParkingOperator(
      RecordMapping<T> mapping,
      ExampleShape shape,
      TypeSerializer<T> serializer,
      String stream,
      int mostParked) {
    this.mapping = mapping;
    this.shape = shape;
    this.serializer = serializer;
    this.stream = stream;
    this.mostParked = mostParked;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    place = new StreamPlace(stream, getRuntimeContext().getTaskInfo(), context);
    parked = new ParkedRecords<>(PARKED, serializer, this, context);
  }

  @Override
  public void open() throws Exception {
    super.open();
    mapper = new RecordMapper<>(mapping, shape, true, serializer);
    gate = TaskLink.ofThisTask().gate();
    mailbox =
        getContainingTask()
            .getMailboxExecutorFactory()
            .createExecutor(getOperatorConfig().getChainIndex());
    if (!parked.isEmpty()) {
      awaitGate();
    }
  }

  @Override
  public void processElement(StreamRecord<T> element) throws Exception {
    if (parked.isEmpty() && gate.isOpen()) {
      emit(element);
      return;
    }
    if (parked.isEmpty()) {
      awaitGate();
    }
    parked.add(parked.copy(element));
    parked.awaitRoom(mostParked, mailbox);
  }

  /** Once for as long as records are parked. */
  private void awaitGate() {
    CompletableFuture<Void> unused =
        gate.opened().thenRun(() -> mailbox.execute(this::takeParked, "take parked records"));
  }

  private void takeParked() {
    if (isStopped()) {
      return;
    }
    while (!parked.isEmpty() && gate.isOpen()) {
      emit(parked.poll());
    }
    if (!parked.isEmpty()) {
      awaitGate();
    }
  }

  private void emit(StreamRecord<T> record) {
    Received received =
        mapper.map(record.getValue(), place.partition(), place.take(), ParkedRecords.time(record));
    output.collect(new StreamRecord<>(received));
  }

  @Override
  public void processWatermark(Watermark mark) {
    // The replica takes examples as they come.
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    parked.save();
    place.save();
  }

  @Override
  public void endInput() throws Exception {
    while (!parked.isEmpty()) {
      mailbox.yield();
    }
  }
}
