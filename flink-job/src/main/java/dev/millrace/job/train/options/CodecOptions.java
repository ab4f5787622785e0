package dev.millrace.job.train.options;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How what is exchanged becomes bytes. */
public final class CodecOptions {

  /** What a change looks like on its way. */
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

  /** What a change of the updater's state looks like: nothing that leaves out small values. */
  public enum DenseEncoding {
    /** Every bit. */
    FLOAT32(Encoding.FLOAT32),
    /** Half of the bits. */
    BFLOAT16(Encoding.BFLOAT16),
    /** A byte a value. */
    INT8(Encoding.INT8);

    private final Encoding encoding;

    DenseEncoding(Encoding encoding) {
      this.encoding = encoding;
    }

    /** As one of all encodings. */
    public Encoding encoding() {
      return encoding;
    }

    @Override
    public String toString() {
      return encoding.toString();
    }
  }

  /** How a threshold changes. */
  public enum Rule {
    /** It stays as it is set. */
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

  /** The part of a model that has a threshold of its own. */
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
      ConfigOptions.key("exchange.codec.contributions")
          .enumType(Encoding.class)
          .defaultValue(Encoding.FLOAT32)
          .withDescription(
              "How contributions are encoded. What a codec leaves out stays with the replica"
                  + " and is part of its next contribution.");

  public static final ConfigOption<DenseEncoding> UPDATER_STATE =
      ConfigOptions.key("exchange.codec.updater-state")
          .enumType(DenseEncoding.class)
          .defaultValue(DenseEncoding.FLOAT32)
          .withDescription(
              "How contributions of the updater's state are encoded, where"
                  + " exchange.average-updater is true. A codec that leaves out small values"
                  + " would leave out Adam's second moments. Where exchange.codec.feedback"
                  + " isn't float32, the state returns by this codec, too.");

  public static final ConfigOption<Encoding> FEEDBACK =
      ConfigOptions.key("exchange.codec.feedback")
          .enumType(Encoding.class)
          .defaultValue(Encoding.FLOAT32)
          .withDescription(
              "How the global model returns to the replicas. float32 sends all of it; the"
                  + " others send what has changed. What is left out is part of the next change.");

  public static final ConfigOption<Rule> RULE =
      ConfigOptions.key("exchange.codec.threshold.rule")
          .enumType(Rule.class)
          .defaultValue(Rule.ADAPTIVE)
          .withDescription(
              "fixed: the threshold never changes. adaptive: it keeps the share of sent"
                  + " values between min-share and max-share. target: it keeps them at share."
                  + " quantile: it is the value that this share of each change reaches.");

  public static final ConfigOption<Double> INITIAL =
      ConfigOptions.key("exchange.codec.threshold.initial")
          .doubleType()
          .defaultValue(1e-4)
          .withDescription("The first threshold.");

  public static final ConfigOption<Double> MIN_SHARE =
      ConfigOptions.key("exchange.codec.threshold.min-share")
          .doubleType()
          .defaultValue(1e-4)
          .withDescription("Share of sent values below which an adaptive threshold falls.");

  public static final ConfigOption<Double> MAX_SHARE =
      ConfigOptions.key("exchange.codec.threshold.max-share")
          .doubleType()
          .defaultValue(1e-2)
          .withDescription("Share of sent values above which an adaptive threshold rises.");

  public static final ConfigOption<Double> SHARE =
      ConfigOptions.key("exchange.codec.threshold.share")
          .doubleType()
          .defaultValue(1e-3)
          .withDescription("Share of sent values that a target or quantile threshold keeps to.");

  public static final ConfigOption<Long> WARM_UP =
      ConfigOptions.key("exchange.codec.threshold.warm-up")
          .longType()
          .defaultValue(0L)
          .withDescription(
              "Examples of the whole job in which a quantile threshold's share falls, exponentially,"
                  + " from a quarter of the values to share. For contributions, not for feedback."
                  + " 0: it starts at share.");

  public static final ConfigOption<Integer> HALF_LIFE =
      ConfigOptions.key("exchange.codec.threshold.half-life")
          .intType()
          .defaultValue(20)
          .withDescription(
              "Half-life of the threshold's decay: number of contributions in which a falling"
                  + " threshold is halved, and a rising one doubled.");

  public static final ConfigOption<Scope> SCOPE =
      ConfigOptions.key("exchange.codec.threshold.scope")
          .enumType(Scope.class)
          .defaultValue(Scope.LAYER)
          .withDescription(
              "layer: each layer has a threshold of its own. global: all parameters share"
                  + " one.");

  public static final ConfigOption<Double> RESIDUAL_CLIP =
      ConfigOptions.key("exchange.codec.threshold.residual-clip")
          .doubleType()
          .noDefaultValue()
          .withDescription(
              "Bound of what is left out of a contribution, as a multiple of the threshold."
                  + " Absent: no bound.");

  public static final ConfigOption<Double> TOP_K_SHARE =
      ConfigOptions.key("exchange.codec.top-k.share")
          .doubleType()
          .defaultValue(0.01)
          .withDescription("Share of each block's values that top-k sends.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Codecs",
          "How contributions and the global model become bytes. The options of threshold and"
              + " top-k are for both ways.",
          List.of(
              Setting.of(CONTRIBUTIONS, Range.oneOf(Encoding.class)),
              Setting.of(UPDATER_STATE, Range.oneOf(DenseEncoding.class)),
              Setting.of(FEEDBACK, Range.oneOf(Encoding.class)),
              Setting.of(RULE, Range.oneOf(Rule.class)),
              Setting.of(INITIAL, Range.above(0)),
              Setting.of(MIN_SHARE, Range.between(0, 1)),
              Setting.of(MAX_SHARE, Range.between(0, 1)),
              Setting.of(SHARE, Range.share()),
              Setting.of(WARM_UP, Range.atLeast(0L)),
              Setting.of(HALF_LIFE, Range.atLeast(1)),
              Setting.of(SCOPE, Range.oneOf(Scope.class)),
              Setting.of(RESIDUAL_CLIP, Range.atLeast(1.0)),
              Setting.of(TOP_K_SHARE, Range.share())));

  private CodecOptions() {}
}
