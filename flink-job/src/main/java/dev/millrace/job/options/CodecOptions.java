package dev.millrace.job.options;

import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How what is exchanged becomes bytes. */
public final class CodecOptions {

  /** What becomes of a change on its way. */
  public enum Encoding {
    /** Every bit. */
    FLOAT32,
    /** Half of the bits. */
    BFLOAT16,
    /** A byte a value. */
    INT8,
    /** Values that aren't zero. */
    SPARSE,
    /** Signs of what reaches a threshold. */
    THRESHOLD,
    /** The greatest values. */
    TOP_K;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** How a threshold goes on. */
  public enum Rule {
    /** As it is. */
    FIXED,
    /** Into a range of shares. */
    ADAPTIVE,
    /** To one share. */
    TARGET,
    /** At a share, by each change. */
    QUANTILE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What has a threshold of its own. */
  public enum Scope {
    /** The model. */
    GLOBAL,
    /** Each layer. */
    LAYER;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<Encoding> CONTRIBUTIONS =
      ConfigOptions.key("exchange.codec")
          .enumType(Encoding.class)
          .defaultValue(Encoding.FLOAT32)
          .withDescription(
              "How contributions are encoded. What a codec leaves out stays with the replica and is"
                  + " part of its next contribution.");

  public static final ConfigOption<Encoding> FEEDBACK =
      ConfigOptions.key("exchange.feedback-codec")
          .enumType(Encoding.class)
          .defaultValue(Encoding.FLOAT32)
          .withDescription(
              "How the global model goes back to the replicas: whole (float32), or only what has"
                  + " changed in it, encoded. What is left out is part of the next change.");

  public static final ConfigOption<Rule> RULE =
      ConfigOptions.key("codec.threshold.rule")
          .enumType(Rule.class)
          .defaultValue(Rule.ADAPTIVE)
          .withDescription(
              "Whether the threshold stays as it is (fixed), falls and rises to keep the share of the"
                  + " values sent in a range (adaptive) or at a target, or is what that share of each"
                  + " change reaches (quantile).");

  public static final ConfigOption<Double> INITIAL =
      ConfigOptions.key("codec.threshold.initial")
          .doubleType()
          .defaultValue(1e-4)
          .withDescription("The threshold at first.");

  public static final ConfigOption<Double> LEAST =
      ConfigOptions.key("codec.threshold.least-share")
          .doubleType()
          .defaultValue(1e-4)
          .withDescription("Share of the values sent below which an adaptive threshold falls.");

  public static final ConfigOption<Double> MOST =
      ConfigOptions.key("codec.threshold.most-share")
          .doubleType()
          .defaultValue(1e-2)
          .withDescription("Share of the values sent above which an adaptive threshold rises.");

  public static final ConfigOption<Double> SHARE =
      ConfigOptions.key("codec.threshold.share")
          .doubleType()
          .defaultValue(1e-3)
          .withDescription("Share of the values sent that a target or quantile threshold is for.");

  public static final ConfigOption<Double> DECAY =
      ConfigOptions.key("codec.threshold.decay")
          .doubleType()
          .defaultValue(0.9659363289248456)
          .withDescription(
              "What a threshold is multiplied by to fall, and divided by to rise, each"
                  + " contribution; the default halves it in 20.");

  public static final ConfigOption<Scope> SCOPE =
      ConfigOptions.key("codec.threshold.scope")
          .enumType(Scope.class)
          .defaultValue(Scope.LAYER)
          .withDescription(
              "Whether each layer has a threshold of its own, or all parameters have one. Updater"
                  + " state always has its own.");

  public static final ConfigOption<Double> CLIP =
      ConfigOptions.key("codec.threshold.residual-clip")
          .doubleType()
          .defaultValue(0.0)
          .withDescription(
              "Multiple of the threshold that what is left out of a contribution is clipped to; 0"
                  + " keeps all of it.");

  public static final ConfigOption<Double> TOP_K =
      ConfigOptions.key("codec.top-k.share")
          .doubleType()
          .defaultValue(0.01)
          .withDescription("Share of each block's values that top-k sends.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "Codecs",
          "How what replicas and exchange tell each other becomes bytes. The options of threshold"
              + " and top-k are for both ways.",
          List.of(
              Setting.of(CONTRIBUTIONS, Range.oneOf(Encoding.class)),
              Setting.of(FEEDBACK, Range.oneOf(Encoding.class)),
              Setting.of(RULE, Range.oneOf(Rule.class)),
              Setting.of(INITIAL, Range.above(0)),
              Setting.of(LEAST, Range.between(0, 1)),
              Setting.of(MOST, Range.between(0, 1)),
              Setting.of(SHARE, Range.share()),
              Setting.of(DECAY, Range.fraction()),
              Setting.of(SCOPE, Range.oneOf(Scope.class)),
              Setting.of(CLIP, Range.zeroOrAtLeast(1)),
              Setting.of(TOP_K, Range.share())));

  private CodecOptions() {}
}
