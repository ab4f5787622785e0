package dev.millrace.job.score;

import dev.millrace.example.Example;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.flink.replica.AllottedDevices;
import dev.millrace.job.follow.ModelPlace;
import dev.millrace.job.follow.ModelWatch;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.source.StoppingOperator;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * A {@link Scorer} as a Flink operator. Models come as mails from a {@link ModelWatch}; the first
 * one makes the scorer.
 *
 * <p>Whatever waits for a batch is predicted for before a checkpoint's barrier goes on, so that a
 * checkpoint which covers a record covers its prediction, too.
 *
 * @param <T> what comes in
 * @param <R> what is made of predictions
 */
abstract class PredictingOperator<T, R> extends StoppingOperator<R>
    implements OneInputStreamOperator<T, R>, BoundedOneInput {

  /** Leads to the dead-letter topic. */
  public static final OutputTag<RejectedRecord> REJECTED =
      new OutputTag<>("rejected", TypeInformation.of(RejectedRecord.class));

  private final ServingSettings serving;
  private final BatchTimer.Clock clock;

  private transient ScoringMetrics scoring;
  private transient MailboxExecutor mailbox;
  private transient ModelWatch.Reader reader;
  private transient ModelWatch watch;

  /** Both null until there is a model. */
  private transient Scorer scorer;

  private transient BatchTimer timer;

  /** {@code clock} tells how long examples have waited. */
  PredictingOperator(ServingSettings serving, BatchTimer.Clock clock) {
    this.serving = serving;
    this.clock = clock;
  }

  /** Returns what reads models, on the thread of the watch. */
  abstract ModelWatch.Reader reader();

  /** Takes the first model, with which the operator predicts from now on. */
  abstract void begin(ServedModel model);

  /**
   * Makes output of a prediction; they come in the order of their examples.
   *
   * @return false where it has rejected the record instead
   */
  abstract boolean emit(Prediction prediction, long now);

  @Override
  public void open() throws Exception {
    super.open();
    scoring = new ScoringMetrics(MillraceMetrics.of(getMetricGroup()));
    mailbox =
        getContainingTask()
            .getMailboxExecutorFactory()
            .createExecutor(getOperatorConfig().getChainIndex());
    reader = reader();
    watch =
        ModelWatch.start(
            serving.models(),
            reader,
            serving.poll(),
            new MailboxModelListener(mailbox, this::serve, scoring::refused));
  }

  private void serve(ServedModel model) {
    if (isStopped()) {
      // The savepoint has what waits for the first model.
      return;
    }
    if (isServing()) {
      ModelTakeover.attempt(model, true, () -> scorer.serve(model), scoring);
    } else if (ModelTakeover.attempt(model, false, () -> scorer = scorer(model), scoring)) {
      timer = new BatchTimer(getProcessingTimeService(), clock, scorer, this::predict);
      begin(model);
    } else {
      reader.refused(model);
    }
  }

  private Scorer scorer(ServedModel model) {
    Scorer first =
        new Scorer(
            model.spec().shape(),
            serving
                .device()
                .among(
                    AllottedDevices.names(
                        getRuntimeContext().getExternalResourceInfos(AllottedDevices.RESOURCE))),
            serving.batchSize(),
            serving.maxWait());
    try {
      first.serve(model);
      return first;
    } catch (RuntimeException | Error e) {
      first.close();
      throw e;
    }
  }

  /** Returns where models come from. */
  final ModelPlace models() {
    return serving.models();
  }

  /** Whether there is a model. */
  final boolean isServing() {
    return scorer != null;
  }

  /** Returns where mails come in, of which one brings the model. */
  final MailboxExecutor mailbox() {
    return mailbox;
  }

  /**
   * Puts an example into the batch, once there is a model.
   *
   * @param time of its record in milliseconds since the epoch, negative for none
   */
  final void add(Example example, long time) {
    scorer.add(example, time, clock.getAsLong());
    if (scorer.isFull()) {
      predict();
    } else {
      timer.ensureSet();
    }
  }

  /** Predicts for what waits in the batch. */
  final void predict() {
    if (!isServing() || scorer.isEmpty()) {
      return;
    }
    beginBatch();
    scoring.batch();
    scorer.predict(this::tell, this::rejectUnusable);
  }

  /** Is called before a batch is predicted for. */
  void beginBatch() {}

  private void tell(Prediction prediction) {
    long now = System.currentTimeMillis();
    if (emit(prediction, now)) {
      scoring.predicted(prediction, now);
    }
  }

  /** Takes a record, without its bytes, that the model can't compute with. */
  void rejectUnusable(RejectedRecord withoutBytes) {
    reject(withoutBytes);
  }

  /** Counts a record that there is nothing to predict for. */
  final void skip() {
    scoring.skipped();
  }

  /** Sends a record to the dead letters. */
  void reject(RejectedRecord rejected) {
    scoring.rejected();
    output.collect(REJECTED, new StreamRecord<>(rejected));
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    predict();
  }

  @Override
  public void endInput() throws Exception {
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
