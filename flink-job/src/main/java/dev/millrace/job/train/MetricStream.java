package dev.millrace.job.train;

import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.flink.replica.ReplicaOutputs;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.round.Decision;
import dev.millrace.job.common.OperatorName;
import dev.millrace.job.train.publish.EventRecords;
import dev.millrace.job.train.publish.LayerRecords;
import dev.millrace.job.train.publish.MetricRecords;
import dev.millrace.job.train.reject.RejectionReporter;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.shape.Target;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** What the operators of a training job report, as one stream of metric records. */
final class MetricStream {

  private final TrainingSettings settings;

  private final String prefix;

  /** {@code prefix} is that of the operators' names. */
  MetricStream(TrainingSettings settings, String prefix) {
    this.settings = settings;
    this.prefix = prefix;
  }

  /**
   * All records.
   *
   * @param measured those that operators make themselves
   */
  DataStream<String> of(
      SingleOutputStreamOperator<BlockMessage> replicas,
      SingleOutputStreamOperator<Decision> coordinator,
      DataStream<String> measured) {
    Target target = settings.publisher().spec().shape().target();
    DataStream<String> all =
        records(
                TrainingOperators.PROGRESS,
                coordinator.getSideOutput(ExchangeOutputs.REPORTS),
                report -> MetricRecords.progress(report, target))
            .union(measured, rejections(replicas), events(coordinator));
    if (settings.coordinator().reports().timeline()) {
      all =
          all.union(
              records(
                  TrainingOperators.TIMELINES,
                  coordinator.getSideOutput(ExchangeOutputs.TIMELINES),
                  MetricRecords::timeline));
    }
    if (!settings.replica().hooks().detailsInterval().isZero()) {
      all =
          all.union(
              records(
                  TrainingOperators.LAYERS,
                  replicas.getSideOutput(ReplicaOutputs.LAYERS).global(),
                  LayerRecords::layers),
              records(
                  TrainingOperators.CONFUSION,
                  replicas.getSideOutput(ReplicaOutputs.CONFUSION).global(),
                  MetricRecords::confusion),
              records(
                  TrainingOperators.REPLICA_REPORTS,
                  replicas.getSideOutput(ReplicaOutputs.REPORTS).global(),
                  MetricRecords::replica));
    }
    return all;
  }

  private DataStream<String> events(SingleOutputStreamOperator<Decision> coordinator) {
    ModelSpec spec = settings.publisher().spec();
    OptionsInForce options = settings.options();
    return records(
        TrainingOperators.EVENTS,
        coordinator.getSideOutput(ExchangeOutputs.EVENTS),
        event -> EventRecords.event(event, spec, options.given(), options.defaults()));
  }

  private DataStream<String> rejections(SingleOutputStreamOperator<BlockMessage> replicas) {
    OperatorName name = TrainingOperators.REJECTIONS.of(prefix);
    return name.on(
            RejectionReporter.of(
                replicas.getSideOutput(ReplicaOutputs.REJECTED),
                settings.coordinator().reports().interval(),
                name.uid()))
        .setParallelism(1)
        .setMaxParallelism(1);
  }

  private <T> DataStream<String> records(
      OperatorName name, DataStream<T> reports, MapFunction<T, String> form) {
    return name.of(prefix).on(reports.map(form).returns(Types.STRING)).setParallelism(1);
  }
}
