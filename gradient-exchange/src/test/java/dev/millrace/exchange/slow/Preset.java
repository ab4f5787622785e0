package dev.millrace.exchange.slow;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.codec.ThresholdRule;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.shape.IndexRange;
import java.util.ArrayList;
import java.util.List;

/**
 * The exchange as one of the presets of docs/internals/exchange.md has it.
 *
 * @param decay of what contributions leave out
 * @param feedback null where blocks go back whole
 */
record Preset(
    String name,
    int localSteps,
    boolean waits,
    boolean averagesUpdater,
    Codec contributions,
    double decay,
    Codec feedback,
    Aggregator aggregator,
    ServerOptimizer optimizer) {

  /** 64 kB of floats, as by default. */
  private static final int BLOCK_SIZE = 1 << 14;

  static List<Preset> all() {
    return List.of(
        averaging("parameter-averaging", true),
        averaging("overlap-averaging", false),
        new Preset(
            "gradient-sharing",
            1,
            false,
            false,
            Codec.threshold(ThresholdRule.quantile(0.003)),
            0.99,
            Codec.sparse(),
            Aggregator.sum(),
            ServerOptimizer.none(1)),
        new Preset(
            "low-communication",
            60,
            true,
            false,
            Codec.bfloat16(),
            1,
            Codec.bfloat16(),
            Aggregator.weightedMean(),
            ServerOptimizer.nesterov(0.7, 0.9)),
        new Preset(
            "sparse-communication",
            30,
            true,
            false,
            Codec.twoBitTopK(0.02),
            0.99,
            Codec.twoBitTopK(0.02),
            Aggregator.weightedMean(),
            ServerOptimizer.none(1.5)));
  }

  private static Preset averaging(String name, boolean waits) {
    return new Preset(
        name,
        3,
        waits,
        true,
        Codec.float32(),
        1,
        null,
        Aggregator.weightedMean(),
        ServerOptimizer.none(1));
  }

  Schedule schedule() {
    return Schedule.every(localSteps, waits);
  }

  BlockLayout layout(ModelSpec spec) {
    return spec.layout(BLOCK_SIZE, averagesUpdater);
  }

  Combiner combiner(BlockLayout layout) {
    return new Combiner(layout, aggregator, optimizer, new FeedbackCodecs(feedback, null));
  }

  /** A threshold for each layer, and updater state whole. */
  ContributionCodecs codecs(ModelSpec spec, BlockLayout layout) {
    List<IndexRange> segments = new ArrayList<>();
    int from = 0;
    for (LayerDescription layer :
        ModelEngine.named(spec.engine()).describe(spec.kind(), spec.configuration())) {
      from = addTo(segments, from, layer.parameters().to());
    }
    from = addTo(segments, from, spec.parameters());
    addTo(segments, from, layout.length());
    return new ContributionCodecs(contributions, Codec.float32(), segments, decay);
  }

  private static int addTo(List<IndexRange> segments, int from, int to) {
    if (to > from) {
      segments.add(new IndexRange(from, to));
    }
    return Math.max(from, to);
  }

  @Override
  public String toString() {
    return name;
  }
}
