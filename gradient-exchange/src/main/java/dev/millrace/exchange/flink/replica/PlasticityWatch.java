package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.plasticity.LayerPlasticity;
import dev.millrace.exchange.plasticity.PlasticityMeter;
import dev.millrace.exchange.plasticity.PlasticityReport;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Has the network of the first replica measured, and tells what came of it: to metrics of each
 * layer, and to whoever wants reports. Where nothing is to be measured it does nothing.
 *
 * <p>Written by the task's thread; metrics are read by any.
 */
final class PlasticityWatch {

  private final PlasticityMeter meterOrNull;
  private final MetricGroup metrics;
  private final Consumer<PlasticityReport> reports;
  private final Map<String, LayerPlasticity> shown = new ConcurrentHashMap<>();

  /**
   * @param every rounds from one measurement to the next; 0 for none
   * @param index number of the replica
   */
  PlasticityWatch(
      long every,
      int index,
      ModelReplica model,
      MetricGroup group,
      Consumer<PlasticityReport> reports) {
    ModelSpec spec = model.spec();
    this.meterOrNull =
        every > 0 && index == 0
            ? new PlasticityMeter(
                model,
                ModelEngine.named(spec.engine()).describe(spec.kind(), spec.configuration()),
                every)
            : null;
    this.metrics = MillraceMetrics.of(group);
    this.reports = reports;
  }

  /** A step has been made on these examples, of a replica that has this round's model. */
  void learned(Minibatch minibatch, long round) {
    if (meterOrNull != null) {
      meterOrNull
          .learned(minibatch, round, System.currentTimeMillis())
          .ifPresent(
              report -> {
                report.layers().forEach(this::show);
                reports.accept(report);
              });
    }
  }

  private void show(LayerPlasticity layer) {
    if (shown.put(layer.layer(), layer) == null) {
      MetricGroup group = metrics.addGroup("layer", layer.layer());
      gauge(group, "deadShare", layer.layer(), LayerPlasticity::deadShare);
      gauge(group, "effectiveRank", layer.layer(), LayerPlasticity::effectiveRank);
      gauge(group, "weightNorm", layer.layer(), LayerPlasticity::norm);
      gauge(group, "updateRatio", layer.layer(), LayerPlasticity::updateRatio);
    }
  }

  private void gauge(
      MetricGroup group, String name, String layer, ToDoubleFunction<LayerPlasticity> value) {
    group.gauge(name, (Gauge<Double>) () -> value.applyAsDouble(shown.get(layer)));
  }
}
