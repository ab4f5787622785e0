package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.feedback.ReplicaLink;
import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.rows.DamagedRowException;
import dev.millrace.exchange.rows.KeyGroups;
import dev.millrace.exchange.rows.OrderedPushes;
import dev.millrace.exchange.rows.RowChanges;
import dev.millrace.exchange.rows.RowMessage;
import dev.millrace.exchange.rows.RowPull;
import dev.millrace.exchange.rows.RowPush;
import dev.millrace.exchange.rows.RowShard;
import dev.millrace.exchange.rows.RowStore;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.source.StoppingOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * A {@link RowShard} as a Flink operator: it answers pulls, applies pushes, and has all rows in
 * keyed state at each barrier. It never blocks, so barriers pass whatever replicas do. Pulls are
 * answered at once, or in replica order once all replicas know their round.
 */
public final class RowOperator extends StoppingOperator<AddressedAnswer>
    implements OneInputStreamOperator<RowMessage, AddressedAnswer> {

  /** The state that rows are kept in, a row a key and {@link #namespace}. */
  public static final String ROWS_STATE = "rows";

  /** The state that is kept of each key group of a table. */
  public static final String GROUPS_STATE = "row-groups";

  /** The state that has the journals of key groups, of rows that lie on the heap. */
  public static final String SHEETS_STATE = "row-sheets";

  /** The state of pushes that are held, by key group. */
  public static final String PUSHES_STATE = "row-pushes";

  /**
   * Rows that are looked at behind each push, where tables expire them, for each of its ids: a push
   * may make as many rows as it has ids, and a pass over all rows has to end.
   */
  private static final int SWEPT = 2;

  /** Rows that are looked at behind a push of few ids. */
  private static final int LEAST_SWEPT = 32;

  private final List<RowTable> tables;
  private final int keyGroups;
  private final int cachedRows;
  private final boolean direct;
  private final boolean ordered;
  private final FaultInjector faults;
  private final RowListener listener;
  private final long reportMillis;

  private transient RowShard shard;
  private transient OrderedPushes order;
  private transient KeyedPushes held;
  private transient KeyGroups groups;
  private transient int subtask;
  private transient int subtasks;
  private transient boolean toldTables;

  /**
   * @param keyGroups the operator's maximum parallelism
   * @param cachedRows the most rows of each table that are on the heap
   * @param direct whether answers are handed over in memory to replicas of the same process
   * @param ordered whether pushes are applied in replica order, as {@link OrderedPushes} says
   * @param listener is told of rows that have changed
   * @param reportMillis between two reports of each table, {@link RowOutputs#REPORTS}; 0 for none
   */
  public RowOperator(
      List<RowTable> tables,
      int keyGroups,
      int cachedRows,
      boolean direct,
      boolean ordered,
      RowListener listener,
      long reportMillis,
      FaultInjector faults) {
    this.tables = List.copyOf(tables);
    requireNamespaces(this.tables);
    this.keyGroups = keyGroups;
    this.cachedRows = cachedRows;
    this.direct = direct;
    this.ordered = ordered;
    this.listener = listener;
    this.reportMillis = reportMillis;
    this.faults = faults;
  }

  private static void requireNamespaces(List<RowTable> tables) {
    Map<Integer, RowTable> known = new HashMap<>();
    for (RowTable table : tables) {
      RowTable other = known.putIfAbsent(namespace(table.name()), table);
      if (other != null) {
        throw new IllegalArgumentException(
            "The tables '%s' and '%s' have names of one hash; give one of them another name"
                .formatted(other.name(), table.name()));
      }
    }
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    long[][] keysOfGroups = RowKeys.keysOfGroups(keyGroups, RowStore.SHEETS);
    List<RowStore> stores = new ArrayList<>();
    int[] cached = new int[tables.size()];
    for (int i = 0; i < tables.size(); i++) {
      stores.add(store(tables.get(i), keysOfGroups));
      cached[i] = cachedRows;
    }
    groups = new RowKeys(keyGroups, subtasks).groups(subtask);
    held = new KeyedPushes(state(PUSHES_STATE), this::setCurrentKey, keysOfGroups, groups);
    order = new OrderedPushes(tables, subtasks, this::take);
    try {
      shard = new RowShard(tables, stores, groups, changes(), cached);
      order.restore(groups, held.read());
    } catch (DamagedRowException e) {
      throw new NonRecoverableException(e);
    }
  }

  private RowChanges changes() {
    return listener.hears()
        ? new EmittedChanges(listener.number(), tables, output)
        : RowChanges.NONE;
  }

  /** The namespace of a table in the states: a hash of its name. */
  public static int namespace(String table) {
    return Long.hashCode(RowTable.hash(table));
  }

  private RowStore store(RowTable table, long[][] keysOfGroups) throws Exception {
    int namespace = namespace(table.name());
    return new KeyedRowStore(
        state(ROWS_STATE),
        state(GROUPS_STATE),
        state(SHEETS_STATE),
        namespace,
        this::setCurrentKey,
        keysOfGroups,
        () -> ids(namespace));
  }

  private Stream<Long> ids(int namespace) {
    KeyedStateBackend<Long> backend = getKeyedStateBackend();
    Stream<Long> ids = backend.getKeys(ROWS_STATE, namespace);
    // RocksDB goes through what there was in the beginning. Maps on the heap may not change.
    return backend instanceof HeapKeyedStateBackend
        ? Arrays.stream(ids.mapToLong(Long::longValue).toArray()).boxed()
        : ids;
  }

  @SuppressWarnings("unchecked") // Every backend's states are of this kind.
  private InternalValueState<Long, Integer, byte[]> state(String name) throws Exception {
    KeyedStateBackend<Long> backend = getKeyedStateBackend();
    return (InternalValueState<Long, Integer, byte[]>)
        backend.getOrCreateKeyedState(
            IntSerializer.INSTANCE,
            new ValueStateDescriptor<>(name, BytePrimitiveArraySerializer.INSTANCE));
  }

  @Override
  public void open() throws Exception {
    super.open();
    MetricGroup group = MillraceMetrics.of(getMetricGroup());
    // Reporters may ask behind the end, too.
    RowShard counted = shard;
    for (int i = 0; i < tables.size(); i++) {
      MetricGroup ofTable = group.addGroup("table", tables.get(i).name());
      int table = i;
      ofTable.gauge("rows", () -> counted.counts(table).rows());
      ofTable.gauge("createdRows", () -> counted.counts(table).created());
      ofTable.gauge("expiredRows", () -> counted.counts(table).expired());
      ofTable.gauge("dirtyRows", () -> counted.dirty(table));
      ofTable.gauge("uses", () -> counted.uses(table));
      ofTable.gauge("waiting", () -> counted.counts(table).waiting());
      ofTable.gauge("cacheHits", () -> counted.counts(table).hits());
      ofTable.gauge("cacheMisses", () -> counted.counts(table).misses());
      ofTable.gauge("refused", () -> counted.counts(table).refused());
    }
    each(listener.millis(), this::tell);
    each(reportMillis, this::report);
  }

  /** Does something each time that so long has passed, until the work is over. */
  @SuppressWarnings("FutureReturnValueIgnored") // Flink fails the task with it.
  private void each(long millis, Runnable work) {
    if (millis > 0) {
      ProcessingTimeService time = getProcessingTimeService();
      time.registerTimer(
          time.getCurrentProcessingTime() + millis,
          now -> {
            if (shard != null && !isStopped()) {
              work.run();
              each(millis, work);
            }
          });
    }
  }

  private void report() {
    for (int table = 0; table < tables.size(); table++) {
      output.collect(
          RowOutputs.REPORTS, new StreamRecord<>(shard.report(subtask, subtasks, table)));
    }
  }

  /** Readers can make nothing of rows before they know the tables. */
  private boolean tell() {
    if (!listener.hears()) {
      return false;
    }
    if (!toldTables) {
      for (int table = 0; table < tables.size(); table++) {
        output.collect(RowOutputs.CHANGES, new StreamRecord<>(RowChange.ofTable(table)));
      }
      toldTables = true;
    }
    return shard.tell();
  }

  @Override
  public void processElement(StreamRecord<RowMessage> element) {
    faults.reach(Place.EXCHANGE, subtask);
    try {
      if (ordered) {
        order.take(element.getValue());
      } else {
        // A savepoint of a job that holds pushes may have some.
        order.release();
        take(element.getValue());
      }
    } catch (DamagedRowException e) {
      // Such as rows of another dimension or updater.
      throw new NonRecoverableException(e);
    }
  }

  private void take(RowMessage message) {
    if (message instanceof RowPull pull) {
      answer(pull);
    } else if (message instanceof RowPush push) {
      shard.apply(push);
      shard.sweep(Math.max(LEAST_SWEPT, SWEPT * push.ids().length));
    }
  }

  private void answer(RowPull pull) {
    ReplicaLink link = direct ? ReplicaLinks.find(pull.home()) : null;
    if (link != null) {
      link.mail().offer(shard.answer(pull));
    } else {
      output.collect(
          new StreamRecord<>(new AddressedAnswer(pull.replica(), pull.home(), shard.answer(pull))));
    }
  }

  /** Tells readers ahead of a checkpoint of all that it has, or that there is more. */
  @Override
  public void prepareSnapshotPreBarrier(long checkpoint) {
    if (tell()) {
      output.collect(RowOutputs.CHANGES, new StreamRecord<>(RowChange.moreComes()));
    }
  }

  @Override
  public void finish() throws Exception {
    order.release();
    boolean more = tell();
    while (more) {
      more = tell();
    }
    if (reportMillis > 0) {
      report();
    }
    super.finish();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    held.write(order.save(groups));
    shard.flush();
  }

  @Override
  public void close() throws Exception {
    if (shard != null) {
      shard.close();
      shard = null;
    }
    super.close();
  }
}
