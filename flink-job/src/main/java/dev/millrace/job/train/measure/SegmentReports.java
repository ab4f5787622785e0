package dev.millrace.job.train.measure;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.exchange.segment.SegmentSamples;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.groups.AbstractMetricGroup;

/**
 * What is told of the model by segment: accuracy, or for regression the loss, and forgetting, which
 * is the best so far less what it is now; as metrics and as a metric record.
 *
 * <p>Written by the task's thread; metrics are read by any.
 */
final class SegmentReports {

  private final Target target;
  private final SegmentRule.Kind kind;
  private final SegmentSamples samples;
  private final MetricGroup metrics;
  private final Map<Long, Shown> shown = new ConcurrentHashMap<>();
  private volatile double meanScore = Double.NaN;
  private volatile double meanForgetting = Double.NaN;

  /** What the metrics of a segment show. */
  private static final class Shown {

    private final MetricGroup group;
    private volatile double score;
    private volatile double forgetting;

    private Shown(MetricGroup group) {
      this.group = group;
      group.gauge("score", (Gauge<Double>) () -> score);
      group.gauge("forgetting", (Gauge<Double>) () -> forgetting);
    }

    /** The segment is kept no more: its metrics end. */
    private void close() {
      if (group instanceof AbstractMetricGroup<?> closeable) {
        closeable.close();
      }
    }
  }

  /** {@code samples} know the best so far. */
  SegmentReports(Target target, SegmentRule rule, SegmentSamples samples, MetricGroup group) {
    this.target = target;
    this.kind = rule.kind();
    this.samples = samples;
    this.metrics = MillraceMetrics.of(group);
    metrics.gauge("segmentScore", (Gauge<Double>) () -> meanScore);
    metrics.gauge("segmentForgetting", (Gauge<Double>) () -> meanForgetting);
  }

  /**
   * Notes a model's results, and makes a record of them; docs/internals/formats.md describes it.
   */
  String tell(ModelVersion version, List<SegmentResult> results, long time) {
    ObjectNode record =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", "segments")
            .put("time", time)
            .put("generation", version.generation())
            .put("round", version.round());
    double scores = 0;
    double forgotten = 0;
    ArrayNode segments = JsonNodeFactory.instance.arrayNode();
    for (SegmentResult result : results) {
      double score = result.score(target);
      double forgetting = samples.note(result.segment(), score) - score;
      scores += score;
      forgotten += forgetting;
      ObjectNode told =
          segments
              .addObject()
              .put("segment", name(result.segment()))
              .put("examples", result.measures().examples());
      if (target != Target.REGRESSION) {
        told.put("accuracy", result.measures().accuracy());
      }
      told.put("loss", result.measures().meanLoss()).put("forgetting", forgetting);
      TwoClassFields.put(told, result.measures(), "");
      show(result.segment(), score, forgetting);
    }
    forgetAllBut(results);
    if (!results.isEmpty()) {
      meanScore = scores / results.size();
      meanForgetting = forgotten / results.size();
      record.put(
          target == Target.REGRESSION ? "loss" : "accuracy",
          target == Target.REGRESSION ? -meanScore : meanScore);
      record.put("forgetting", meanForgetting);
    }
    record.set("segments", segments);
    return record.toString();
  }

  private String name(long segment) {
    return kind.name().toLowerCase(Locale.ROOT) + "-" + segment;
  }

  private void show(long segment, double score, double forgetting) {
    Shown metric =
        shown.computeIfAbsent(
            segment, number -> new Shown(metrics.addGroup("segment", name(number))));
    metric.score = score;
    metric.forgetting = forgetting;
  }

  private void forgetAllBut(List<SegmentResult> results) {
    Set<Long> kept = results.stream().map(SegmentResult::segment).collect(Collectors.toSet());
    shown
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = !kept.contains(entry.getKey());
              if (gone) {
                entry.getValue().close();
              }
              return gone;
            });
  }
}
