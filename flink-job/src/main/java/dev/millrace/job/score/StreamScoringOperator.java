package dev.millrace.job.score;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.flink.replica.AllottedDevices;
import dev.millrace.job.follow.AgreeingModels;
import dev.millrace.job.follow.ModelWatch;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.InvalidModelException;
import dev.millrace.model.Partition;
import dev.millrace.source.RecordMapper;
import dev.millrace.source.RecordMapping;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Queue;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * A {@link Scorer} in a stream that can't be held back by a gate. Until there is a model it keeps
 * records in its state, up to a number; then it takes no more, so that what is before it waits.
 * While it does, the mail that brings the model runs all the same, and barriers wait with the
 * records behind which they come.
 *
 * <p>Nothing else is state: whatever waits for a batch is predicted for before a barrier goes on,
 * and before a watermark does.
 *
 * @param <T> the records
 * @param <R> what is made of a record and its prediction
 */
public final class StreamScoringOperator<T, R> extends AbstractStreamOperator<R>
    implements OneInputStreamOperator<T, R>, BoundedOneInput {

  private static final String WAITING = "waiting";

  /** Messages name no better place of a record. */
  private static final String STREAM = "stream";

  private static final long NO_TIMESTAMP = Example.NO_TIMESTAMP;

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

  private final StreamScoringSettings settings;
  private final RecordMapping<T> mapping;
  private final TypeSerializer<T> serializer;
  private final Outcome<T, R> outcome;

  private transient ScoringMetrics scoring;
  private transient MailboxExecutor mailbox;
  private transient ModelWatch watch;
  private transient ListState<Tuple2<Long, T>> state;
  private transient Queue<Tuple2<Long, T>> waiting;
  private transient Watermark held;
  private transient Partition place;
  private transient long records;

  /** All null until there is a model, which says what examples are like. */
  private transient RecordMapper<T> mapper;

  private transient Scorer scorer;
  private transient BatchTimer timer;

  /** Those that the scorer has in its batch. */
  private transient Queue<Tuple2<Long, T>> batch;

  public StreamScoringOperator(
      StreamScoringSettings settings,
      RecordMapping<T> mapping,
      TypeSerializer<T> serializer,
      Outcome<T, R> outcome) {
    this.settings = settings;
    this.mapping = mapping;
    this.serializer = serializer;
    this.outcome = outcome;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state = context.getOperatorStateStore().getListState(descriptor());
    waiting = new ArrayDeque<>();
    for (Tuple2<Long, T> record : state.get()) {
      waiting.add(record);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // A class has no type arguments.
  private ListStateDescriptor<Tuple2<Long, T>> descriptor() {
    return new ListStateDescriptor<>(
        WAITING,
        new TupleSerializer<Tuple2<Long, T>>(
            (Class) Tuple2.class, new TypeSerializer<?>[] {LongSerializer.INSTANCE, serializer}));
  }

  @Override
  public void open() throws Exception {
    super.open();
    scoring = new ScoringMetrics(MillraceMetrics.of(getMetricGroup()));
    batch = new ArrayDeque<>();
    place = new Partition(STREAM, getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
    mailbox =
        getContainingTask()
            .getMailboxExecutorFactory()
            .createExecutor(getOperatorConfig().getChainIndex());
    watch =
        ModelWatch.start(
            settings.models(),
            new AgreeingModels(),
            settings.poll(),
            new ModelMails(mailbox, this::serve, scoring::refused));
  }

  private void serve(ServedModel model) {
    if (scorer != null) {
      ModelTakeover.attempt(model, true, () -> scorer.serve(model), scoring);
    } else if (ModelTakeover.attempt(model, false, () -> scorer = scorer(model), scoring)) {
      begin(model);
    }
  }

  private Scorer scorer(ServedModel model) {
    ExampleShape taken = model.spec().shape();
    if (taken.words() > 0 || taken.labelLags() > 0) {
      throw new InvalidModelException(
          ("Model %s takes words or the labels of records before, and a mapper gives numbers of one"
                  + " record: score it from a topic")
              .formatted(model.version()));
    }
    Scorer first =
        new Scorer(
            taken,
            settings
                .device()
                .among(
                    AllottedDevices.names(
                        getRuntimeContext().getExternalResourceInfos(AllottedDevices.RESOURCE))),
            settings.batchSize(),
            settings.maxWait());
    try {
      first.serve(model);
      return first;
    } catch (RuntimeException | Error e) {
      first.close();
      throw e;
    }
  }

  private void begin(ServedModel model) {
    timer = new BatchTimer(getProcessingTimeService(), System::nanoTime, scorer, this::predict);
    mapper = new RecordMapper<>(mapping, model.spec().shape(), false, serializer);
    LOG.info("Scoring begins with model {} and {} records", model.version(), waiting.size());
    for (Tuple2<Long, T> record = waiting.poll(); record != null; record = waiting.poll()) {
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
    T record = element.getValue();
    Tuple2<Long, T> kept =
        Tuple2.of(
            element.hasTimestamp() ? element.getTimestamp() : NO_TIMESTAMP,
            getExecutionConfig().isObjectReuseEnabled() ? serializer.copy(record) : record);
    while (scorer == null && waiting.size() >= settings.mostWaiting()) {
      // The mail that ends it comes from the watch, whatever barriers do.
      mailbox.yield();
    }
    if (scorer == null) {
      waiting.add(kept);
    } else {
      score(kept);
    }
  }

  private void score(Tuple2<Long, T> record) {
    Received received = mapper.map(record.f1, place, records++, record.f0);
    if (received instanceof RejectedRecord rejected) {
      reject(rejected);
    } else if (received instanceof Example example) {
      batch.add(record);
      scorer.add(
          example, record.f0 == NO_TIMESTAMP ? -1 : Math.max(0, record.f0), System.nanoTime());
      if (scorer.isFull()) {
        predict();
      } else {
        timer.ensureSet();
      }
    }
  }

  private void predict() {
    if (scorer == null || scorer.isEmpty()) {
      return;
    }
    scoring.batch();
    scorer.predict(this::emit, this::rejectUnusable);
  }

  private void rejectUnusable(RejectedRecord withoutBytes) {
    reject(mapper.withBytes(batch.remove().f1, withoutBytes.timestamp(), withoutBytes));
  }

  private void reject(RejectedRecord rejected) {
    scoring.rejected();
    output.collect(ScoringOperator.REJECTED, new StreamRecord<>(rejected));
  }

  private void emit(Prediction prediction) {
    scoring.predicted(prediction, System.currentTimeMillis());
    Tuple2<Long, T> record = batch.remove();
    StreamRecord<R> out =
        new StreamRecord<>(
            outcome.of(record.f1, prediction.outputs(), prediction.version().toString()));
    if (record.f0 != NO_TIMESTAMP) {
      out.setTimestamp(record.f0);
    }
    output.collect(out);
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    if (scorer == null && !waiting.isEmpty()) {
      held = mark;
      return;
    }
    predict();
    super.processWatermark(mark);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    predict();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    state.update(new ArrayList<>(waiting));
  }

  @Override
  public void endInput() throws Exception {
    while (!waiting.isEmpty()) {
      mailbox.yield();
    }
    predict();
  }

  @Override
  public void close() throws Exception {
    if (watch != null) {
      watch.close();
      watch = null;
    }
    if (scorer != null) {
      scorer.close();
      scorer = null;
    }
    super.close();
  }
}
