package dev.millrace.job.score;

import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.kafka.sink.KeyedRecord;
import dev.millrace.source.GatedSource;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * The graph of scoring: a job of its own, or beside the training job's, with which it has no edge
 * in common.
 *
 * <pre>
 * source ─► scorer ─► predictions
 *                └─rejected─► dead letters
 * </pre>
 */
public final class ScoringTopology {

  private final ScoringSettings settings;
  private final FaultInjector faults;

  public ScoringTopology(ScoringSettings settings, FaultInjector faults) {
    this.settings = settings;
    this.faults = faults;
  }

  /**
   * Adds scoring to {@code env}, with as many scorers as the environment's parallelism.
   *
   * @param deadLetters where rejected records go; null to drop them once they are counted
   */
  public void build(
      StreamExecutionEnvironment env,
      Source<Received, ?, ?> source,
      TypeInformation<Received> sourceType,
      Sink<KeyedRecord> predictions,
      Sink<RejectedRecord> deadLetters) {
    env.setRuntimeMode(RuntimeExecutionMode.STREAMING);
    // Examples are handed along the chain by reference, never copied.
    env.getConfig().enableObjectReuse();
    // A sink's transactions end with barriers that all of its input has waited for.
    env.getCheckpointConfig().setCheckpointingConsistencyMode(CheckpointingMode.EXACTLY_ONCE);
    var examples =
        ScoringOperators.SOURCE.on(
            env.fromSource(
                GatedSource.of(source, sourceType),
                WatermarkStrategy.noWatermarks(),
                ScoringOperators.SOURCE.uid()));
    var scorers =
        ScoringOperators.SCORER.on(
            examples.transform(
                ScoringOperators.SCORER.uid(),
                TypeInformation.of(KeyedRecord.class),
                new ScoringOperator(settings, faults)));
    ScoringOperators.PREDICTIONS.on(scorers.sinkTo(predictions));
    // One task for the rejected records of all scorers makes these one region, which restarts
    // together. Each on its own would be a region, too, and Flink 2.3 ends the JobManager's process
    // where one of several readers restarts just when a checkpoint is triggered
    // (OperatorCoordinatorHolder.closeGateways).
    ScoringOperators.DEAD_LETTERS.on(
        scorers
            .getSideOutput(ScoringOperator.REJECTED)
            .global()
            .sinkTo(deadLetters == null ? new DiscardingSink<>() : deadLetters)
            .setParallelism(1));
  }
}
