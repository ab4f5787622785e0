package dev.millrace.job.join;

import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.wire.WireType;
import dev.millrace.job.common.OperatorName;
import dev.millrace.kafka.KeyedRecord;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The graph of a join.
 *
 * <pre>
 * features ─► sorted ─┐ by key
 *                ├────┴─► join ─► joined
 * labels ───► sorted ─┘     ├─late─► late
 *                │          └─duplicates─► duplicates
 *                └─rejected─► rejected
 * </pre>
 */
public final class JoinTopology {

  /** Carries records between tasks. */
  public static final TypeInformation<JoinRecord> RECORDS =
      WireType.of(JoinRecord.class, JoinRecord.WIRE);

  private final JoinSettings settings;
  private final FaultInjector faults;

  public JoinTopology(JoinSettings settings, FaultInjector faults) {
    this.settings = settings;
    this.faults = faults;
  }

  /** Adds a join to {@code env}, with as many tasks as the environment's parallelism. */
  public void build(
      StreamExecutionEnvironment env,
      Source<JoinRecord, ?, ?> features,
      Source<JoinRecord, ?, ?> labels,
      JoinSinks sinks) {
    env.setRuntimeMode(RuntimeExecutionMode.STREAMING);
    // Records are handed along a chain by reference: nobody changes one.
    env.getConfig().enableObjectReuse();
    // A sink's transactions end with barriers that all of its input has waited for.
    env.getCheckpointConfig().setCheckpointingConsistencyMode(CheckpointingMode.EXACTLY_ONCE);
    SingleOutputStreamOperator<JoinRecord> sortedFeatures =
        sorted(env, features, JoinOperators.FEATURES, JoinOperators.SORTED_FEATURES);
    SingleOutputStreamOperator<JoinRecord> sortedLabels =
        sorted(env, labels, JoinOperators.LABELS, JoinOperators.SORTED_LABELS);
    SingleOutputStreamOperator<KeyedRecord> joined =
        JoinOperators.JOIN.on(
            sortedFeatures
                .union(sortedLabels)
                .keyBy(JoinRecord::key, Types.STRING)
                .process(
                    new JoinFunction(settings, faults), TypeInformation.of(KeyedRecord.class)));
    JoinOperators.JOINED.on(joined.sinkTo(sinks.joined()));
    aside(joined.getSideOutput(JoinFunction.LATE), sinks.lateOrNull(), JoinOperators.LATE);
    aside(
        joined.getSideOutput(JoinFunction.DUPLICATES),
        sinks.duplicatesOrNull(),
        JoinOperators.DUPLICATES);
    aside(
        sortedFeatures
            .getSideOutput(SortingFunction.REJECTED)
            .union(sortedLabels.getSideOutput(SortingFunction.REJECTED)),
        sinks.rejectedOrNull(),
        JoinOperators.REJECTED);
  }

  private SingleOutputStreamOperator<JoinRecord> sorted(
      StreamExecutionEnvironment env,
      Source<JoinRecord, ?, ?> source,
      OperatorName name,
      OperatorName sorted) {
    return sorted.on(
        name.on(env.fromSource(source, RecordWatermarks.strategy(settings), name.uid(), RECORDS))
            .process(new SortingFunction(), RECORDS));
  }

  /** Records that nobody keeps have been counted. */
  private static void aside(
      DataStream<RejectedRecord> records, Sink<RejectedRecord> sinkOrNull, OperatorName name) {
    if (sinkOrNull != null) {
      name.on(records.sinkTo(sinkOrNull));
    }
  }
}
