package dev.millrace.job.score;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.job.follow.ModelWatch;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.kafka.sink.KeyedRecord;
import dev.millrace.kafka.sink.KeyedTopic;
import dev.millrace.source.SourceGate;
import dev.millrace.source.TaskLink;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Predicts for the records of its gated source, which it is chained behind, and which is held back
 * until there is a model. It has no state.
 */
public final class ScoringOperator extends PredictingOperator<Received, KeyedRecord> {

  /** Names of the job's accumulators: how many predictions and rejected records there were. */
  public static final String PREDICTIONS = "predictions";

  public static final String REJECTED_RECORDS = "rejected";

  private final ScoringSettings settings;
  private final FaultInjector faults;

  private transient int index;
  private transient PredictionFormat format;
  private transient SourceGate gate;
  private transient LongCounter predictions;
  private transient LongCounter rejections;

  public ScoringOperator(ScoringSettings settings, FaultInjector faults) {
    this(settings, faults, System::nanoTime);
  }

  /** {@code clock} tells how long examples have waited. */
  ScoringOperator(ScoringSettings settings, FaultInjector faults, BatchTimer.Clock clock) {
    super(settings.serving(), clock);
    this.settings = settings;
    this.faults = faults;
  }

  @Override
  public void open() throws Exception {
    index = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    predictions = new LongCounter();
    rejections = new LongCounter();
    getRuntimeContext().addAccumulator(PREDICTIONS, predictions);
    getRuntimeContext().addAccumulator(REJECTED_RECORDS, rejections);
    format = new PredictionFormat(settings.shape(), settings.classes());
    gate = TaskLink.install().gate();
    super.open();
  }

  @Override
  ModelWatch.Reader reader() {
    return new ExpectedModels(settings);
  }

  @Override
  void begin(ServedModel model) {
    LOG.info("Scorer {} begins with model {}", index, model.version());
    gate.setOpen(true);
  }

  @Override
  public void processElement(StreamRecord<Received> element) {
    Received received = element.getValue();
    if (received instanceof RejectedRecord rejected) {
      reject(rejected);
    } else if (received instanceof Example example) {
      add(example, element.hasTimestamp() ? element.getTimestamp() : -1);
    } else {
      skip();
    }
  }

  @Override
  void beginBatch() {
    faults.reach(Place.PREDICTION, index);
  }

  @Override
  void reject(RejectedRecord rejected) {
    rejections.add(1);
    super.reject(rejected);
  }

  @Override
  boolean emit(Prediction prediction, long now) {
    byte[] key = prediction.writtenKey();
    byte[] value = format.write(prediction, now);
    int bytes = key.length + value.length;
    if (bytes > KeyedTopic.MAX_BYTES) {
      reject(
          RejectedRecord.withoutBytes(
              prediction.partition(),
              prediction.offset(),
              "its prediction has %s bytes with its key, and can have %s"
                  .formatted(bytes, KeyedTopic.MAX_BYTES)));
      return false;
    }
    predictions.add(1);
    output.collect(new StreamRecord<>(new KeyedRecord(key, value)));
    return true;
  }

  @Override
  public void close() throws Exception {
    super.close();
    TaskLink.uninstall();
  }
}
