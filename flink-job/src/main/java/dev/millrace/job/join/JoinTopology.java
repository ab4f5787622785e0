package dev.millrace.job.join;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.wire.WireType;
import dev.millrace.job.common.OperatorName;
import dev.millrace.kafka.sink.KeyedRecord;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The graph of a join.
 *
 * <pre>
 * features ─► sorted ─┐ by key
 *                ├────┴─► join ─► joined
 * labels ───► sorted ─┘     └─late, duplicates─► dead letters
 *                └─rejected─► dead letters
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
    if (sinks.deadLettersOrNull() != null) {
      JoinOperators.DEAD_LETTERS.on(
          joined
              .getSideOutput(JoinFunction.LATE)
              .union(
                  joined.getSideOutput(JoinFunction.DUPLICATES),
                  sortedFeatures.getSideOutput(SortingFunction.REJECTED),
                  sortedLabels.getSideOutput(SortingFunction.REJECTED))
              .sinkTo(sinks.deadLettersOrNull()));
    }
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
}
