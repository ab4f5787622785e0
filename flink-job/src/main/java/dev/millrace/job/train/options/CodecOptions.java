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
    TOP_K,
    /** The greatest values, as a sign and one of two magnitudes. */
    TOP_K_2_BIT;

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

    /** Returns the same encoding as one of all encodings. */
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
    /** The threshold changes until the share that is sent is within a range. */
    ADAPTIVE,
    /** The threshold changes until the share that is sent is the one set. */
    TARGET,
    /** Each change gets the threshold that lets the share set through. */
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
          .withDescription("How contributions are encoded.");

  public static final ConfigOption<DenseEncoding> UPDATER_STATE =
      ConfigOptions.key("exchange.codec.updater-state")
          .enumType(DenseEncoding.class)
          .defaultValue(DenseEncoding.FLOAT32)
          .withDescription("How updater state is encoded.");

  public static final ConfigOption<Encoding> FEEDBACK =
      ConfigOptions.key("exchange.codec.feedback")
          .enumType(Encoding.class)
          .defaultValue(Encoding.FLOAT32)
          .withDescription("How the global model returns. Not float32: only its change is sent.");

  public static final ConfigOption<Rule> RULE =
      ConfigOptions.key("exchange.codec.threshold.rule")
          .enumType(Rule.class)
          .defaultValue(Rule.ADAPTIVE)
          .withDescription("fixed: it never changes. Others: towards exchange.codec.share.");

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
              "Share of values to send. Absent: threshold 0.001, top-k 0.01, top-k-2-bit 0.02.");

  public static final ConfigOption<Double> DECAY =
      ConfigOptions.key("exchange.codec.decay")
          .doubleType()
          .defaultValue(1.0)
          .withDescription(
              "Contributions keep this share of what they leave out; below 1 the rest is lost.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Codecs",
          "How contributions and the global model become bytes.",
          List.of(
              Setting.of(CONTRIBUTIONS, ExtensionOptions.range(Encoding.class)),
              Setting.experimental(UPDATER_STATE, Range.oneOf(DenseEncoding.class)),
              Setting.of(FEEDBACK, Range.oneOf(Encoding.class)),
              Setting.experimental(RULE, Range.oneOf(Rule.class)),
              Setting.experimental(INITIAL, Range.above(0)),
              Setting.of(SHARE, Range.share()),
              Setting.experimental(DECAY, Range.share())));

  private CodecOptions() {}
}
