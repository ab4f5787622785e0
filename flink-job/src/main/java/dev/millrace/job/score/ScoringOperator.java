package dev.millrace.job.score;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.flink.replica.AllottedDevices;
import dev.millrace.job.follow.ModelWatch;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.kafka.KeyedRecord;
import dev.millrace.model.DeviceRequest;
import dev.millrace.source.SourceGate;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * A {@link Scorer} as a Flink operator, chained behind its gated source, which is held back until
 * there is a model. Models come as mails from a {@link ModelWatch}.
 *
 * <p>It has no state: whatever waits is predicted for before a checkpoint's barrier goes on, so
 * that a checkpoint which covers a record covers its prediction, too.
 */
public final class ScoringOperator extends AbstractStreamOperator<KeyedRecord>
    implements OneInputStreamOperator<Received, KeyedRecord>, BoundedOneInput {

  /** To the dead-letter topic. */
  public static final OutputTag<RejectedRecord> REJECTED =
      new OutputTag<>("rejected", TypeInformation.of(RejectedRecord.class));

  /** Names of the job's accumulators: how many predictions and rejected records there were. */
  public static final String PREDICTIONS = "predictions";

  public static final String REJECTED_RECORDS = "rejected";

  private final ScoringSettings settings;
  private final FaultInjector faults;
  private final BatchTimer.Clock clock;

  private transient int index;
  private transient Scorer scorer;
  private transient BatchTimer timer;
  private transient PredictionFormat format;
  private transient ModelWatch watch;
  private transient SourceGate gate;
  private transient ScoringMetrics scoring;
  private transient LongCounter predictions;
  private transient LongCounter rejections;

  public ScoringOperator(ScoringSettings settings, FaultInjector faults) {
    this(settings, faults, System::nanoTime);
  }

  /** {@code clock} tells how long examples have waited. */
  ScoringOperator(ScoringSettings settings, FaultInjector faults, BatchTimer.Clock clock) {
    this.settings = settings;
    this.faults = faults;
    this.clock = clock;
  }

  @Override
  public void open() throws Exception {
    super.open();
    index = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    scoring = new ScoringMetrics(MillraceMetrics.of(getMetricGroup()));
    predictions = new LongCounter();
    rejections = new LongCounter();
    getRuntimeContext().addAccumulator(PREDICTIONS, predictions);
    getRuntimeContext().addAccumulator(REJECTED_RECORDS, rejections);
    DeviceRequest device =
        settings
            .device()
            .among(
                AllottedDevices.names(
                    getRuntimeContext().getExternalResourceInfos(AllottedDevices.RESOURCE)));
    scorer = new Scorer(settings.shape(), device, settings.batchSize(), settings.maxWait());
    timer = new BatchTimer(getProcessingTimeService(), clock, scorer, this::predict);
    format = new PredictionFormat(settings.shape(), settings.classes());
    gate = SourceGate.install();
    watch =
        ModelWatch.start(
            settings.models(),
            snapshot -> ServedModel.read(snapshot, settings.shape(), settings.classes()),
            settings.poll(),
            new ModelMails(
                getContainingTask()
                    .getMailboxExecutorFactory()
                    .createExecutor(getOperatorConfig().getChainIndex()),
                this::serve,
                scoring::refused));
  }

  private void serve(ServedModel model) {
    if (!ModelTakeover.attempt(model, gate.isOpen(), () -> scorer.serve(model), scoring)) {
      return;
    }
    if (gate.isOpen()) {
      LOG.debug("Scorer {} serves model {}", index, model.version());
    } else {
      LOG.info("Scorer {} begins with model {}", index, model.version());
      gate.setOpen(true);
    }
  }

  @Override
  public void processElement(StreamRecord<Received> element) {
    Received received = element.getValue();
    if (received instanceof RejectedRecord rejected) {
      reject(rejected);
    } else if (received instanceof Example example) {
      long time = element.hasTimestamp() ? element.getTimestamp() : -1;
      scorer.add(example, time, clock.getAsLong());
      if (scorer.isFull()) {
        predict();
      } else {
        timer.ensureSet();
      }
    }
  }

  private void predict() {
    if (scorer.isEmpty()) {
      return;
    }
    faults.reach(Place.PREDICTION, index);
    scoring.batch();
    scorer.predict(this::emit, this::reject);
  }

  private void reject(RejectedRecord rejected) {
    scoring.rejected();
    rejections.add(1);
    output.collect(REJECTED, new StreamRecord<>(rejected));
  }

  private void emit(Prediction prediction) {
    long now = System.currentTimeMillis();
    scoring.predicted(prediction, now);
    predictions.add(1);
    output.collect(
        new StreamRecord<>(
            new KeyedRecord(prediction.writtenKey(), format.write(prediction, now))));
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    predict();
  }

  @Override
  public void endInput() {
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
    SourceGate.uninstall();
    super.close();
  }
}
