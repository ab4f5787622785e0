package dev.millrace.job.train.setup;

import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ThresholdRule;
import dev.millrace.job.train.options.CodecOptions;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.IndexRange;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;

/** How what is exchanged becomes bytes, as checked options say it. */
final class CodecSetup {

  private final Configuration options;

  CodecSetup(Configuration options) {
    this.options = options;
  }

  Codec contributions() {
    return codec(options.get(CodecOptions.CONTRIBUTIONS));
  }

  /** Null where blocks go back whole. */
  Codec feedback() {
    CodecOptions.Encoding encoding = options.get(CodecOptions.FEEDBACK);
    return encoding == CodecOptions.Encoding.FLOAT32 ? null : codec(encoding);
  }

  private Codec codec(CodecOptions.Encoding encoding) {
    return switch (encoding) {
      case FLOAT32 -> Codec.float32();
      case BFLOAT16 -> Codec.bfloat16();
      case INT8 -> Codec.int8();
      case SPARSE -> Codec.sparse();
      case THRESHOLD -> Codec.threshold(rule(), residualClip());
      case TOP_K -> Codec.topK(options.get(CodecOptions.TOP_K_SHARE));
    };
  }

  /** 0 keeps all that is left out. */
  private float residualClip() {
    return options.getOptional(CodecOptions.RESIDUAL_CLIP).orElse(0.0).floatValue();
  }

  private ThresholdRule rule() {
    float initial = options.get(CodecOptions.INITIAL).floatValue();
    double decay = Math.pow(0.5, 1.0 / options.get(CodecOptions.HALF_LIFE));
    return switch (options.get(CodecOptions.RULE)) {
      case FIXED -> ThresholdRule.fixed(initial);
      case ADAPTIVE ->
          ThresholdRule.adaptive(
              initial,
              options.get(CodecOptions.MIN_SHARE),
              options.get(CodecOptions.MAX_SHARE),
              decay);
      case QUANTILE -> ThresholdRule.quantile(options.get(CodecOptions.SHARE));
      case TARGET -> ThresholdRule.target(initial, options.get(CodecOptions.SHARE), decay);
    };
  }

  /** Parts of the exchanged vector whose changes are of one scale. */
  List<IndexRange> segments(ModelSpec spec, BlockLayout layout) {
    List<Integer> bounds = new ArrayList<>();
    if (options.get(CodecOptions.SCOPE) == CodecOptions.Scope.LAYER) {
      for (LayerDescription layer :
          ModelEngine.named(spec.engine()).describe(spec.kind(), spec.configuration())) {
        bounds.add(layer.parameters().to());
      }
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
