package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.feedback.ReplicaLink;
import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.rows.RowCounts;
import dev.millrace.exchange.rows.RowMessage;
import dev.millrace.exchange.rows.RowPull;
import dev.millrace.exchange.rows.RowPush;
import dev.millrace.exchange.rows.RowShard;
import dev.millrace.exchange.rows.RowStore;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.source.StoppingOperator;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * A {@link RowShard} as a Flink operator: it answers pulls, applies pushes, and has all rows in
 * keyed state at each barrier. It never waits for anything, so pulls are answered and barriers pass
 * whatever replicas do.
 */
public final class RowOperator extends StoppingOperator<AddressedAnswer>
    implements OneInputStreamOperator<RowMessage, AddressedAnswer> {

  /** Begins the name of the state that a table's rows are kept in, a row a key. */
  public static final String ROWS_STATE = "rows-";

  /** Begins the name of the state that is kept of each key group of a table. */
  public static final String GROUPS_STATE = "row-groups-";

  private final List<RowTable> tables;
  private final RowKeys keys;
  private final int cachedRows;
  private final int cold;
  private final boolean direct;
  private final FaultInjector faults;

  private transient RowShard shard;
  private transient int subtask;

  /**
   * @param cachedRows the most rows of each table that are on the heap
   * @param cold rows that are written ahead of barriers, behind each push
   * @param direct whether answers are handed over in memory to replicas of the same process
   */
  public RowOperator(
      List<RowTable> tables,
      RowKeys keys,
      int cachedRows,
      int cold,
      boolean direct,
      FaultInjector faults) {
    this.tables = List.copyOf(tables);
    this.keys = keys;
    this.cachedRows = cachedRows;
    this.cold = cold;
    this.direct = direct;
    this.faults = faults;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    List<RowStore> stores = new ArrayList<>();
    int[] cached = new int[tables.size()];
    for (int i = 0; i < tables.size(); i++) {
      stores.add(store(context, tables.get(i).name()));
      cached[i] = cachedRows;
    }
    shard = new RowShard(tables, stores, keys.groups(subtask), cached);
  }

  private RowStore store(StateInitializationContext context, String table) {
    String rows = ROWS_STATE + table;
    return new KeyedRowStore(
        state(context, rows),
        state(context, GROUPS_STATE + table),
        this::setCurrentKey,
        group -> keys.anyOf((int) group),
        () -> this.<Long>getKeyedStateBackend().getKeys(rows, VoidNamespace.INSTANCE),
        keys.keyGroups());
  }

  private static ValueState<byte[]> state(StateInitializationContext context, String name) {
    return context
        .getKeyedStateStore()
        .getState(new ValueStateDescriptor<>(name, BytePrimitiveArraySerializer.INSTANCE));
  }

  @Override
  public void open() throws Exception {
    super.open();
    MetricGroup group = MillraceMetrics.of(getMetricGroup());
    for (int i = 0; i < tables.size(); i++) {
      MetricGroup ofTable = group.addGroup("table", tables.get(i).name());
      int table = i;
      ofTable.gauge("rows", () -> counts(table).rows());
      ofTable.gauge("cacheHits", () -> counts(table).hits());
      ofTable.gauge("cacheMisses", () -> counts(table).misses());
      ofTable.gauge("refused", () -> counts(table).refused());
    }
  }

  private RowCounts counts(int table) {
    return shard.counts(table);
  }

  @Override
  public void processElement(StreamRecord<RowMessage> element) {
    faults.reach(Place.EXCHANGE, subtask);
    RowMessage message = element.getValue();
    if (message instanceof RowPull pull) {
      answer(pull);
    } else if (message instanceof RowPush push) {
      shard.apply(push);
      shard.writeCold(cold);
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

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
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
