package dev.millrace.job.score;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.job.follow.AgreeingModels;
import dev.millrace.job.follow.ModelWatch;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.Partition;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.source.ParkedRecords;
import dev.millrace.source.RecordMapper;
import dev.millrace.source.RecordMapping;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Predicts for a stream that can't be held back by a gate. Until there is a model it keeps records
 * in its state. From a number on each {@linkplain ParkedRecords#awaitRoom waits} before the next is
 * taken, so that what is before it waits, and never for good: the model may be one that learns from
 * the same source.
 *
 * <p>Nothing else is state. A watermark goes on behind the predictions for what came before it.
 *
 * @param <T> the records
 * @param <R> what is made of a record and its prediction
 */
public final class StreamScoringOperator<T, R> extends PredictingOperator<T, R> {

  private static final String WAITING = "waiting";

  /** Messages name no better place of a record. */
  private static final String STREAM = "stream";

  /**
   * Makes the operator's output.
   *
   * @param <T> the record
   * @param <R> the output
   */
  @FunctionalInterface
  public interface Outcome<T, R> extends Serializable {

    /** {@code outputs} are the model's of one example, {@code version} that of the model. */
    R of(T record, float[] outputs, String version);
  }

  private final int mostWaiting;
  private final RecordMapping<T> mapping;
  private final TypeSerializer<T> serializer;
  private final Outcome<T, R> outcome;

  private transient ParkedRecords<T> waiting;
  private transient Watermark held;
  private transient Partition place;
  private transient long records;

  /** Null until there is a model, which says what examples are like. */
  private transient RecordMapper<T> mapper;

  /** Records that the scorer has in its batch. */
  private transient Queue<StreamRecord<T>> batch;

  /**
   * @param mostWaiting records that a subtask keeps until there is a model, before the stream waits
   * @param serializer of the records
   */
  public StreamScoringOperator(
      ServingSettings serving,
      int mostWaiting,
      RecordMapping<T> mapping,
      TypeSerializer<T> serializer,
      Outcome<T, R> outcome) {
    super(serving, System::nanoTime);
    this.mostWaiting = mostWaiting;
    this.mapping = mapping;
    this.serializer = serializer;
    this.outcome = outcome;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    waiting = new ParkedRecords<>(WAITING, serializer, this, context);
  }

  @Override
  public void open() throws Exception {
    batch = new ArrayDeque<>();
    place = new Partition(STREAM, getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
    super.open();
  }

  @Override
  ModelWatch.Reader reader() {
    return new ModelsOfNumbers(new AgreeingModels(models()));
  }

  private record ModelsOfNumbers(AgreeingModels models) implements ModelWatch.Reader {

    @Override
    public ServedModel read(PublishedSnapshot snapshot) {
      requireNumbersOfOneRecord(snapshot.description());
      return models.read(snapshot);
    }

    @Override
    public void offered(ServedModel model) {
      models.offered(model);
    }

    @Override
    public void refused(ServedModel model) {
      models.refused(model);
    }

    @Override
    public void close() {
      models.close();
    }
  }

  private static void requireNumbersOfOneRecord(SnapshotDescription model) {
    ExampleShape taken = model.shape();
    if (taken != null && (taken.words() > 0 || taken.labelLags() > 0)) {
      throw new InvalidModelException(
          ("Model %s takes words or the labels of records before, and a mapper gives numbers of one"
                  + " record: score it from a topic")
              .formatted(model.version()));
    }
  }

  @Override
  void begin(ServedModel model) {
    mapper = new RecordMapper<>(mapping, model.spec().shape(), false, serializer);
    LOG.info("Scoring begins with model {} and {} records", model.version(), waiting.size());
    for (StreamRecord<T> record = waiting.poll(); record != null; record = waiting.poll()) {
      score(record);
    }
    if (held != null) {
      predict();
      output.emitWatermark(held);
      held = null;
    }
  }

  @Override
  public void processElement(StreamRecord<T> element) throws Exception {
    StreamRecord<T> kept = waiting.copy(element);
    if (isServing()) {
      score(kept);
    } else {
      waiting.add(kept);
      waiting.awaitRoom(mostWaiting, mailbox());
    }
  }

  private void score(StreamRecord<T> record) {
    Received received = mapper.map(record.getValue(), place, records++, ParkedRecords.time(record));
    if (received instanceof RejectedRecord rejected) {
      reject(rejected);
    } else if (received instanceof Example example) {
      batch.add(record);
      add(example, record.hasTimestamp() ? Math.max(0, record.getTimestamp()) : -1);
    }
  }

  @Override
  void rejectUnusable(RejectedRecord withoutBytes) {
    T record = batch.remove().getValue();
    reject(mapper.withBytes(record, withoutBytes.timestamp(), withoutBytes));
  }

  @Override
  boolean emit(Prediction prediction, long now) {
    StreamRecord<T> record = batch.remove();
    output.collect(
        record.replace(
            outcome.of(record.getValue(), prediction.outputs(), prediction.version().toString())));
    return true;
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    if (!isServing() && !waiting.isEmpty()) {
      held = mark;
      return;
    }
    predict();
    super.processWatermark(mark);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    waiting.save();
  }

  @Override
  public void endInput() throws Exception {
    while (!waiting.isEmpty()) {
      mailbox().yield();
    }
    super.endInput();
  }
}
