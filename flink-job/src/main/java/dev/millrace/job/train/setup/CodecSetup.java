package dev.millrace.job.train.setup;

import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.codec.ThresholdRule;
import dev.millrace.job.train.options.CodecOptions;
import dev.millrace.job.train.options.ExtensionOptions;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.shape.IndexRange;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;

/** How what is exchanged becomes bytes, as checked options say it. */
final class CodecSetup {

  private static final double THRESHOLD_SHARE = 0.001;
  private static final double TOP_K_SHARE = 0.01;
  private static final double TOP_K_2_BIT_SHARE = 0.02;

  /** An adaptive threshold stays while as many times less or more than the share is sent. */
  private static final double SLACK = 10;

  /** A threshold is halved or doubled by 20 contributions, as DL4J's is. */
  private static final double DECAY = Math.pow(0.5, 1 / 20.0);

  /**
   * Examples in which a quantile's share falls to its value; docs/internals/exchange.md has
   * figures.
   */
  private static final long WARM_UP = 20_000;

  private final Configuration options;

  CodecSetup(Configuration options) {
    this.options = options;
  }

  ContributionCodecs contributions(ModelSpec spec, BlockLayout layout) {
    return new ContributionCodecs(
        ExtensionOptions.codec(options)
            .orElseGet(
                () ->
                    codec(
                        ExtensionOptions.builtIn(
                            options, CodecOptions.CONTRIBUTIONS, CodecOptions.Encoding.class),
                        WARM_UP)),
        codec(options.get(CodecOptions.UPDATER_STATE).encoding(), 0),
        segments(spec, layout),
        options.get(CodecOptions.DECAY));
  }

  FeedbackCodecs feedback() {
    CodecOptions.Encoding encoding = options.get(CodecOptions.FEEDBACK);
    if (encoding == CodecOptions.Encoding.FLOAT32) {
      return FeedbackCodecs.WHOLE;
    }
    CodecOptions.DenseEncoding ofState = options.get(CodecOptions.UPDATER_STATE);
    return new FeedbackCodecs(
        codec(encoding, 0),
        ofState == CodecOptions.DenseEncoding.FLOAT32 ? null : codec(ofState.encoding(), 0));
  }

  /** {@code warmUp} is that of a quantile threshold, in examples. */
  private Codec codec(CodecOptions.Encoding encoding, long warmUp) {
    return switch (encoding) {
      case FLOAT32 -> Codec.float32();
      case BFLOAT16 -> Codec.bfloat16();
      case INT8 -> Codec.int8();
      case SPARSE -> Codec.sparse();
      case THRESHOLD -> Codec.threshold(rule(warmUp));
      case TOP_K -> Codec.topK(share(TOP_K_SHARE));
      case TOP_K_2_BIT -> Codec.twoBitTopK(share(TOP_K_2_BIT_SHARE));
    };
  }

  private ThresholdRule rule(long warmUp) {
    float initial = options.get(CodecOptions.INITIAL).floatValue();
    double share = share(THRESHOLD_SHARE);
    return switch (options.get(CodecOptions.RULE)) {
      case FIXED -> ThresholdRule.fixed(initial);
      case ADAPTIVE ->
          ThresholdRule.adaptive(initial, share / SLACK, Math.min(1, share * SLACK), DECAY);
      case QUANTILE -> ThresholdRule.quantile(share, warmUp);
      case TARGET -> ThresholdRule.target(initial, share, DECAY);
    };
  }

  private double share(double usual) {
    return options.getOptional(CodecOptions.SHARE).orElse(usual);
  }

  /**
   * Parts of the exchanged vector whose changes are of one scale. Running statistics, such as batch
   * normalization's, are in a layer's range, and not of its scale.
   */
  private List<IndexRange> segments(ModelSpec spec, BlockLayout layout) {
    List<Integer> bounds = new ArrayList<>();
    for (LayerDescription layer :
        ModelEngine.named(spec.engine()).describe(spec.kind(), spec.configuration())) {
      bounds.add(layer.parameters().to());
    }
    for (IndexRange statistics : spec.runningStatistics()) {
      bounds.add(statistics.from());
      bounds.add(statistics.to());
    }
    bounds.add(spec.parameters());
    bounds.add(layout.length());
    List<IndexRange> segments = new ArrayList<>();
    int from = 0;
    for (int to : bounds.stream().distinct().sorted().collect(Collectors.toList())) {
      if (to > from && to <= layout.length()) {
        segments.add(new IndexRange(from, to));
        from = to;
      }
    }
    return segments;
  }
}
