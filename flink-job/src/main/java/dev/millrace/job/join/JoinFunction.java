package dev.millrace.job.join;

import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.job.join.JoinMetrics.Count;
import dev.millrace.kafka.sink.KeyedRecord;
import dev.millrace.model.io.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * A {@link LabelJoin} in Flink: it keeps what is known of each key until its event-time timer.
 *
 * <p>Nothing else takes state away. A time to live by the clock would: a job that was stopped for
 * longer would have lost pairs.
 */
final class JoinFunction extends KeyedProcessFunction<String, JoinRecord, KeyedRecord>
    implements CheckpointedFunction {

  static final OutputTag<RejectedRecord> LATE =
      new OutputTag<>("late", TypeInformation.of(RejectedRecord.class));

  static final OutputTag<RejectedRecord> DUPLICATES =
      new OutputTag<>("duplicates", TypeInformation.of(RejectedRecord.class));

  /** Begins with its format's version. */
  private static final byte WATERMARK_VERSION = 1;

  private final JoinSettings settings;
  private final FaultInjector faults;

  private transient LabelJoin join;
  private transient JoinMetrics metrics;
  private transient ValueState<byte[]> state;
  private transient ListState<byte[]> watermarks;
  private transient int index;

  /**
   * The highest watermark that this job has worked with, in earlier attempts, too: after a failure
   * sources begin with none, and a record that was too late before has to be so again. One that has
   * been forgotten would be taken a second time.
   */
  private transient long watermark;

  JoinFunction(JoinSettings settings, FaultInjector faults) {
    this.settings = settings;
    this.faults = faults;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    watermarks =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("watermark", BytePrimitiveArraySerializer.INSTANCE));
    watermark = Long.MIN_VALUE;
    for (byte[] saved : watermarks.get()) {
      ByteBuffer bytes = ByteBuffer.wrap(saved);
      if (bytes.get() != WATERMARK_VERSION) {
        throw new IOException("A watermark of another format version: " + saved[0]);
      }
      watermark = Math.max(watermark, bytes.getLong());
    }
  }

  @Override
  public void open(OpenContext context) throws Exception {
    index = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    join = new LabelJoin(settings.bounds());
    metrics =
        new JoinMetrics(
            getRuntimeContext(),
            MillraceMetrics.of(getRuntimeContext().getMetricGroup()),
            Count.PAIRS,
            Count.NEGATIVES,
            Count.UNLABELLED,
            Count.LATE,
            Count.DUPLICATES);
    state =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("known", BytePrimitiveArraySerializer.INSTANCE));
  }

  @Override
  public void processElement(JoinRecord record, Context context, Collector<KeyedRecord> out)
      throws Exception {
    faults.reach(Place.JOIN, index);
    observe(context.timerService());
    KeyState known = known();
    keep(
        known,
        join.arrived(known, record, watermark, new Results(context, out)),
        context.timerService());
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<KeyedRecord> out)
      throws Exception {
    faults.reach(Place.JOIN_END, index);
    observe(context.timerService());
    KeyState known = known();
    if (known != null && join.until(known) <= time) {
      keep(known, join.ended(known, new Results(context, out)), context.timerService());
    }
  }

  private void observe(TimerService timers) {
    long now = timers.currentWatermark();
    // At the end of the input it says that nothing comes any more, and more may after a restart.
    if (now < Long.MAX_VALUE) {
      watermark = Math.max(watermark, now);
    }
  }

  private KeyState known() throws IOException {
    byte[] bytes = state.value();
    return bytes == null
        ? null
        : KeyState.WIRE.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private void keep(KeyState before, KeyState after, TimerService timers) throws IOException {
    if (after == before) {
      return;
    }
    if (before != null) {
      timers.deleteEventTimeTimer(join.until(before));
    }
    if (after == null) {
      state.clear();
    } else {
      state.update(bytes(KeyState.WIRE, after));
      timers.registerEventTimeTimer(join.until(after));
    }
  }

  private static <T> byte[] bytes(WireFormat<T> format, T value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    format.write(value, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    byte[] bytes =
        ByteBuffer.allocate(1 + Long.BYTES).put(WATERMARK_VERSION).putLong(watermark).array();
    watermarks.update(List.of(bytes));
  }

  /** Sends and counts what becomes of records. */
  private final class Results implements JoinResults {

    private final Context context;
    private final Collector<KeyedRecord> out;

    Results(Context context, Collector<KeyedRecord> out) {
      this.context = context;
      this.out = out;
    }

    @Override
    public void pair(JoinRecord features, JoinRecord label) {
      metrics.count(Count.PAIRS);
      send(features, label.label(), 1);
    }

    @Override
    public void unlabelled(JoinRecord features) {
      Negatives negatives = settings.negativesOrNull();
      if (negatives == null || !negatives.takes(JoinKey.bytes(features.key()))) {
        metrics.count(Count.UNLABELLED);
      } else {
        metrics.count(Count.NEGATIVES);
        send(features, negatives.label(), negatives.weight());
      }
    }

    private void send(JoinRecord features, String label, double weight) {
      out.collect(
          new KeyedRecord(
              JoinKey.bytes(features.key()),
              settings.labelling().add(features.json(), label, weight),
              features.time()));
    }

    @Override
    public void late(JoinRecord record, String reason) {
      metrics.count(Count.LATE);
      context.output(LATE, record.rejected(reason));
    }

    @Override
    public void duplicate(JoinRecord record, String reason) {
      metrics.count(Count.DUPLICATES);
      context.output(DUPLICATES, record.rejected(reason));
    }
  }
}
