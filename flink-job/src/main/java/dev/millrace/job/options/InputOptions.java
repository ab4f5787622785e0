package dev.millrace.job.options;

import dev.millrace.example.ExampleFormat;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;

/** Where examples come from and what they look like. */
public final class InputOptions {

  /** How an example is written in a record. */
  public enum Format {
    JSON,
    CSV,
    FLOAT32,
    UINT8;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether features are standardized. */
  public enum Standardize {
    /** On for formats of real numbers, unless the model takes images; off for bytes. */
    AUTO,
    ON,
    OFF;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What to do where the offsets to continue from are gone. */
  public enum MissingOffsets {
    FAIL,
    EARLIEST;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<List<String>> TOPICS =
      ConfigOptions.key("input.topics")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription("Topics to learn from. Either these or a pattern.");

  public static final ConfigOption<String> TOPIC_PATTERN =
      ConfigOptions.key("input.topic-pattern")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Learns from every topic whose whole name matches, also from those created later.");

  public static final ConfigOption<Format> FORMAT =
      ConfigOptions.key("input.format")
          .enumType(Format.class)
          .defaultValue(Format.JSON)
          .withDescription("How an example is written in a record; see formats.md.");

  public static final ConfigOption<Integer> FEATURES =
      ConfigOptions.key("input.features")
          .intType()
          .noDefaultValue()
          .withDescription(
              "Length of every feature vector. Required; records of another length are rejected.");

  public static final ConfigOption<Integer> OUTPUTS =
      ConfigOptions.key("input.outputs")
          .intType()
          .noDefaultValue()
          .withDescription(
              "Number of classes, or length of the label vector where the target isn't"
                  + " classification. Required.");

  public static final ConfigOption<Target> TARGET =
      ConfigOptions.key("input.target")
          .enumType(Target.class)
          .defaultValue(Target.CLASSIFICATION)
          .withDescription(
              "What labels mean: one class of several, any set of classes, or real numbers.");

  public static final ConfigOption<Standardize> STANDARDIZE =
      ConfigOptions.key("input.standardize")
          .enumType(Standardize.class)
          .defaultValue(Standardize.AUTO)
          .withDescription(
              "Standardizes each feature with its running mean and deviation over all that was"
                  + " learned from. auto: off for networks with an embedding layer, which can't be"
                  + " on; else as the model.archive has it, if there is one; off for uint8, for"
                  + " lenet and where model.image is set; on for all else.");

  public static final ConfigOption<Boolean> BOUNDED =
      ConfigOptions.key("input.bounded")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether the job ends at the offsets that are the latest when it starts, or goes on"
                  + " for ever.");

  public static final ConfigOption<String> START =
      ConfigOptions.key("input.start")
          .stringType()
          .defaultValue("earliest")
          .withDescription(
              "Where a job without state begins: at the earliest or latest records, at the offsets"
                  + " that the consumer group committed (earliest where it has none), or at the"
                  + " first record of that time, in milliseconds since 1970.");

  public static final ConfigOption<Duration> PARTITION_DISCOVERY =
      ConfigOptions.key("input.partition-discovery")
          .durationType()
          .defaultValue(Duration.ofSeconds(30))
          .withDescription(
              "How often to look for new partitions and topics, which are read from their first record"
                  + " on; 0 for never.");

  public static final ConfigOption<MemorySize> MAX_RECORD_SIZE =
      ConfigOptions.key("input.max-record-size")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(1))
          .withDescription("Larger record values are rejected unread.");

  public static final ConfigOption<MissingOffsets> ON_MISSING_OFFSETS =
      ConfigOptions.key("input.on-missing-offsets")
          .enumType(MissingOffsets.class)
          .defaultValue(MissingOffsets.FAIL)
          .withDescription(
              "What to do where the records to continue from were deleted by the topic's"
                  + " retention: fail, or go on at the earliest that is left.");

  static final Range<String> START_RANGE =
      Range.text(
          "earliest, latest, committed or milliseconds since 1970",
          value -> value.matches("earliest|latest|committed|\\d{1,18}"));

  static final OptionGroup GROUP =
      new OptionGroup(
          "Input",
          "Which records the job learns from, and what an example looks like.",
          List.of(
              Setting.of(TOPICS, Range.listOf(Range.text("a topic's name"))),
              Setting.of(
                  TOPIC_PATTERN,
                  Range.text("a regular expression of java.util.regex", Texts::isPattern)),
              Setting.of(FORMAT, Range.oneOf(Format.class)),
              Setting.of(FEATURES, Range.atLeast(1)),
              Setting.of(OUTPUTS, Range.atLeast(1)),
              Setting.of(TARGET, Range.oneOf(Target.class)),
              Setting.of(STANDARDIZE, Range.oneOf(Standardize.class)),
              Setting.of(BOUNDED, Range.trueOrFalse()),
              Setting.of(START, START_RANGE),
              Setting.of(
                  PARTITION_DISCOVERY, Range.zeroOrAtLeast(Duration.ofMillis(100), "100 ms")),
              Setting.of(
                  MAX_RECORD_SIZE, Range.between(new MemorySize(16), MemorySize.ofMebiBytes(1024))),
              Setting.of(ON_MISSING_OFFSETS, Range.oneOf(MissingOffsets.class))));

  private InputOptions() {}

  /** The format that the options name, set as they say. */
  public static ExampleFormat exampleFormat(Configuration options, ExampleShape shape) {
    return ExampleFormat.named(options.get(FORMAT).toString(), shape, CsvOptions.settings(options));
  }

  /** The same for examples whose labels nobody needs. */
  public static ExampleFormat unlabelledFormat(Configuration options, ExampleShape shape) {
    return ExampleFormat.unlabelled(
        options.get(FORMAT).toString(), shape, CsvOptions.settings(options));
  }
}
