package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.layer.LayerMeter;
import dev.millrace.exchange.layer.LayerStatistics;
import dev.millrace.exchange.layer.LayersReport;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the layers of the first replica's network measured, and tells what came of it: to metrics of
 * each layer, and to whoever wants reports. What can't be measured is logged, and training goes on.
 *
 * <p>Written by the task's thread; metrics are read by any.
 */
final class LayerWatch implements ReplicaHook {

  private static final Logger LOG = LoggerFactory.getLogger(LayerWatch.class);

  private final MetricGroup metrics;
  private final Consumer<LayersReport> reports;
  private final Map<String, LayerStatistics> shown = new ConcurrentHashMap<>();
  private LayerMeter meterOrNull;
  private long round;

  /** {@code interval} is from one measurement to the next, at least. */
  LayerWatch(
      Duration interval,
      ModelReplica model,
      MetricGroup group,
      Consumer<LayersReport> reports,
      LongSupplier nanos) {
    this.metrics = MillraceMetrics.of(group);
    this.reports = reports;
    try {
      meterOrNull = meter(interval, model, nanos);
    } catch (RuntimeException e) {
      giveUp(e);
    }
  }

  private static LayerMeter meter(Duration interval, ModelReplica model, LongSupplier nanos) {
    ModelSpec spec = model.spec();
    ModelEngine engine = ModelEngine.named(spec.engine());
    return new LayerMeter(
        model,
        engine.describe(spec.kind(), spec.configuration()),
        engine.tensors(spec.kind(), spec.configuration()),
        interval.toNanos(),
        nanos);
  }

  @Override
  public void accept(RoundHead head) {
    round = head.round();
  }

  @Override
  public void beforeStep(Minibatch minibatch, Supplier<float[]> global) {
    if (meterOrNull != null) {
      try {
        meterOrNull.before(minibatch);
      } catch (RuntimeException e) {
        giveUp(e);
      }
    }
  }

  @Override
  public void afterStep(Minibatch minibatch, float[] predictions) {
    measure(minibatch)
        .ifPresent(
            report -> {
              report.layers().forEach(this::show);
              reports.accept(report);
            });
  }

  private Optional<LayersReport> measure(Minibatch minibatch) {
    if (meterOrNull != null) {
      try {
        return meterOrNull.after(minibatch, round, System.currentTimeMillis());
      } catch (RuntimeException e) {
        giveUp(e);
      }
    }
    return Optional.empty();
  }

  private void giveUp(RuntimeException cause) {
    LOG.warn("The layers of this network can't be measured; training goes on without that", cause);
    meterOrNull = null;
  }

  private void show(LayerStatistics layer) {
    if (shown.put(layer.layer(), layer) == null) {
      MetricGroup group = metrics.addGroup("layer", layer.layer());
      gauge(group, "deadShare", layer.layer(), LayerStatistics::deadShare);
      gauge(group, "effectiveRank", layer.layer(), LayerStatistics::effectiveRank);
      gauge(group, "weightNorm", layer.layer(), LayerStatistics::weightNorm);
      gauge(group, "updateRatio", layer.layer(), LayerStatistics::updateRatio);
    }
  }

  private void gauge(
      MetricGroup group, String name, String layer, ToDoubleFunction<LayerStatistics> value) {
    group.gauge(name, (Gauge<Double>) () -> value.applyAsDouble(shown.get(layer)));
  }
}
