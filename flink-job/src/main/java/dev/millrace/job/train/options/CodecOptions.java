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

  public static final ConfigOption<String> CONTRIBUTIONS =
      ConfigOptions.key("exchange.codec.contributions")
          .stringType()
          .defaultValue("float32")
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
              "How the threshold changes. fixed: never. adaptive: loosely towards"
                  + " exchange.codec.share. target: towards it. quantile: what that share of each"
                  + " change reaches.");

  public static final ConfigOption<Double> INITIAL =
      ConfigOptions.key("exchange.codec.threshold.initial")
          .doubleType()
          .defaultValue(1e-4)
          .withDescription("The first threshold.");

  public static final ConfigOption<Double> SHARE =
      ConfigOptions.key("exchange.codec.share")
          .doubleType()
          .noDefaultValue()
          .withDescription(
              "Share of values that threshold and top-k send. Absent: 0.001 and 0.01.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Codecs",
          "How contributions and the global model become bytes. The options of threshold and"
              + " top-k are for both ways.",
          List.of(
              Setting.of(CONTRIBUTIONS, ExtensionOptions.range(Encoding.class)),
              Setting.of(UPDATER_STATE, Range.oneOf(DenseEncoding.class)),
              Setting.of(FEEDBACK, Range.oneOf(Encoding.class)),
              Setting.of(RULE, Range.oneOf(Rule.class)),
              Setting.of(INITIAL, Range.above(0)),
              Setting.of(SHARE, Range.share())));

  private CodecOptions() {}
}
