package dev.millrace.simulate.task;

import java.util.List;
import java.util.OptionalLong;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorEventDispatcher;
import org.apache.flink.runtime.state.AsyncKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupStatePartitionStreamProvider;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.apache.flink.runtime.state.StatePartitionStreamProvider;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimeServiceManager;
import org.apache.flink.streaming.api.operators.KeyContext;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.operators.SimpleOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.StreamOperatorStateContext;
import org.apache.flink.streaming.api.operators.StreamTaskStateInitializer;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.CloseableIterable;

/** One operator of a task: it is set up, restored, saved and ended as Flink's runtime does. */
final class Operator<T> {

  private static final OperatorID ID = new OperatorID(0, 1);
  private static final CheckpointStreamFactory STREAMS = Blank.of(CheckpointStreamFactory.class);
  private static final OperatorEventDispatcher EVENTS = Blank.of(OperatorEventDispatcher.class);

  /** One for each place in the chain. Nobody changes them, and they take long to make. */
  private static final List<StreamConfig> CONFIGS = List.of(config(0), config(1));

  private final AbstractStreamOperator<T> operator;
  private final Timers timers;
  private ListStates lists;
  private KeyedStates keyed;

  Operator(
      AbstractStreamOperator<T> operator,
      ContainingTask task,
      int chainIndex,
      Output<StreamRecord<T>> output,
      Timers timers,
      Mailbox mailbox) {
    this.operator = operator;
    this.timers = timers;
    SimpleOperatorFactory.of(operator)
        .createStreamOperator(
            new StreamOperatorParameters<>(
                task, CONFIGS.get(chainIndex), output, () -> timers, EVENTS, mailbox));
  }

  private static StreamConfig config(int chainIndex) {
    StreamConfig config = new StreamConfig(new Configuration());
    config.setOperatorID(ID);
    config.setOperatorName("simulated");
    config.setChainIndex(chainIndex);
    config.serializeAllConfigs();
    return config;
  }

  AbstractStreamOperator<T> get() {
    return operator;
  }

  /**
   * Has it begin.
   *
   * @param checkpoint that it continues from; empty for none
   */
  void begin(SavedState state, OptionalLong checkpoint) throws Exception {
    lists = new ListStates(state);
    keyed = new KeyedStates(state);
    operator.initializeState(new States(checkpoint));
    operator.open();
  }

  /** Saves its state as it is now; the rest of that is done later. */
  Saved save(Barrier barrier, long millis) throws Exception {
    operator.snapshotState(barrier.checkpoint(), millis, options(barrier.kind()), STREAMS);
    ListStates.Later later = lists.take();
    var values = keyed.take();
    return () -> later.write(values);
  }

  /** What is written while the operator goes on. */
  interface Saved {
    SavedState write();
  }

  private static CheckpointOptions options(Barrier.Kind kind) {
    return switch (kind) {
      case CHECKPOINT ->
          new CheckpointOptions(
              CheckpointType.CHECKPOINT, CheckpointStorageLocationReference.getDefault());
      case SAVEPOINT ->
          new CheckpointOptions(
              SavepointType.savepoint(SavepointFormatType.NATIVE),
              CheckpointStorageLocationReference.getDefault());
      case STOP ->
          new CheckpointOptions(
              SavepointType.suspend(SavepointFormatType.NATIVE),
              CheckpointStorageLocationReference.getDefault());
      case DRAIN ->
          new CheckpointOptions(
              SavepointType.terminate(SavepointFormatType.NATIVE),
              CheckpointStorageLocationReference.getDefault());
    };
  }

  /** Ends its timers, as Flink does when its input is over. */
  void quiesce() {
    var unused = timers.quiesce();
  }

  private final class States implements StreamTaskStateInitializer, StreamOperatorStateContext {

    private final OptionalLong checkpoint;

    States(OptionalLong checkpoint) {
      this.checkpoint = checkpoint;
    }

    @Override
    public StreamOperatorStateContext streamOperatorStateContext(
        OperatorID id,
        String operatorClass,
        ProcessingTimeService times,
        KeyContext keys,
        TypeSerializer<?> keySerializer,
        CloseableRegistry closeables,
        MetricGroup metrics,
        double memory,
        boolean rawKeyed,
        boolean asynchronous) {
      return this;
    }

    @Override
    public OptionalLong getRestoredCheckpointId() {
      return checkpoint;
    }

    @Override
    public OperatorStateBackend operatorStateBackend() {
      return lists;
    }

    @Override
    public TypeSerializer<?> keySerializer() {
      return keyed.getKeySerializer();
    }

    @Override
    public CheckpointableKeyedStateBackend<?> keyedStateBackend() {
      return keyed;
    }

    @Override
    public AsyncKeyedStateBackend<?> asyncKeyedStateBackend() {
      return null;
    }

    @Override
    public InternalTimeServiceManager<?> internalTimerServiceManager() {
      return null;
    }

    @Override
    public InternalTimeServiceManager<?> asyncInternalTimerServiceManager() {
      return null;
    }

    @Override
    public CloseableIterable<StatePartitionStreamProvider> rawOperatorStateInputs() {
      return CloseableIterable.empty();
    }

    @Override
    public CloseableIterable<KeyGroupStatePartitionStreamProvider> rawKeyedStateInputs() {
      return CloseableIterable.empty();
    }
  }
}
