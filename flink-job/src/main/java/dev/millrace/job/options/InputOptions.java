package dev.millrace.job.options;

import dev.millrace.example.ExampleFormat;
import dev.millrace.exchange.flink.coordinator.ClassOrder;
import dev.millrace.fields.Envelope;
import dev.millrace.fields.RecordFormats;
import dev.millrace.kafka.topic.RecreatedTopic;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;

/** Where examples come from and what they look like. */
public final class InputOptions {

  /** How arrays of numbers are written in a record. */
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
    /**
     * Features of formats of real numbers are standardized, unless the model takes images; bytes
     * are not.
     */
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
          .withDescription("Topics to learn from. Give these or a pattern.");

  public static final ConfigOption<String> TOPIC_PATTERN =
      ConfigOptions.key("input.topic-pattern")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Learns from every topic whose whole name matches, also from later ones.");

  public static final ConfigOption<String> FORMAT =
      ConfigOptions.key("input.format")
          .stringType()
          .defaultValue("json")
          .withDescription(
              "How a record holds an example. float32 and uint8: arrays only. avro, protobuf:"
                  + " named fields only.");

  public static final ConfigOption<String> FIELDS =
      ConfigOptions.key("input.fields")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Named fields of a record: a list, or a YAML file. Absent: records hold arrays."
                  + " See docs/guides/data.md.");

  public static final ConfigOption<Envelope> ENVELOPE =
      ConfigOptions.key("input.envelope")
          .enumType(Envelope.class)
          .defaultValue(Envelope.NONE)
          .withDescription(
              "What is around the fields: a change event of Debezium, at the root or in payload."
                  + " Deletes are skipped.");

  public static final ConfigOption<List<String>> MISSING =
      ConfigOptions.key("input.missing")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription("Words that stand for a missing value, such as NA.");

  public static final ConfigOption<String> DECIMAL =
      ConfigOptions.key("input.decimal")
          .stringType()
          .defaultValue(".")
          .withDescription("The decimal sign of numbers that are written as text.");

  public static final ConfigOption<Integer> FEATURES =
      ConfigOptions.key("input.features")
          .intType()
          .noDefaultValue()
          .withDescription(
              "Length of every feature vector. Required, unless input.fields gives it.");

  public static final ConfigOption<Integer> OUTPUTS =
      ConfigOptions.key("input.outputs")
          .intType()
          .noDefaultValue()
          .withDescription(
              "Number of classes, or length of the label vector. Required, unless fields or"
                  + " classes give it.");

  public static final ConfigOption<Target> TARGET =
      ConfigOptions.key("input.target")
          .enumType(Target.class)
          .defaultValue(Target.CLASSIFICATION)
          .withDescription("What labels mean: one class, any set of classes, or real numbers.");

  public static final ConfigOption<List<String>> CLASSES =
      ConfigOptions.key(ClassOrder.KEY)
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription("Names of the classes, in order. Absent: labels are their numbers.");

  public static final ConfigOption<Standardize> STANDARDIZE =
      ConfigOptions.key("input.standardize")
          .enumType(Standardize.class)
          .defaultValue(Standardize.AUTO)
          .withDescription(
              "Whether features are standardized. auto: as the archive was; else on, except"
                  + " for images.");

  public static final ConfigOption<Double> CLIP =
      ConfigOptions.key("input.clip")
          .doubleType()
          .noDefaultValue()
          .withDescription(
              "Standardized features are clipped at this many deviations. Absent: as in the"
                  + " archive, or 10.");

  public static final ConfigOption<Boolean> BOUNDED =
      ConfigOptions.key("input.bounded")
          .booleanType()
          .defaultValue(false)
          .withDescription("true: the job ends at the offsets that are the latest when it starts.");

  public static final ConfigOption<String> START =
      ConfigOptions.key("input.start")
          .stringType()
          .defaultValue("earliest")
          .withDescription("Where a job without state begins.");

  public static final ConfigOption<MemorySize> MAX_RECORD_SIZE =
      ConfigOptions.key("input.max-record-size")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(1))
          .withDescription("Larger records are rejected unread.");

  public static final ConfigOption<MissingOffsets> ON_MISSING_OFFSETS =
      ConfigOptions.key("input.on-missing-offsets")
          .enumType(MissingOffsets.class)
          .defaultValue(MissingOffsets.FAIL)
          .withDescription("What happens if retention has deleted the next records.");

  public static final ConfigOption<RecreatedTopic> ON_RECREATED_TOPIC =
      ConfigOptions.key("input.on-recreated-topic")
          .enumType(RecreatedTopic.class)
          .defaultValue(RecreatedTopic.FAIL)
          .withDescription(
              "What happens if a topic was deleted and made again. continue: at the old"
                  + " offsets.");

  /** The value of {@link #START} for the offsets that the consumer group has committed. */
  public static final String GROUP_OFFSETS = "group-offsets";

  public static final Range<String> START_RANGE =
      Range.text(
          "earliest, latest, group-offsets or milliseconds since 1970",
          value -> value.matches(GROUP_OFFSETS + "|earliest|latest|\\d{1,18}"));

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Input",
          "Which records the job reads, and what an example looks like.",
          List.of(
              Setting.common(TOPICS, Range.listOf(Range.text("a topic's name"))),
              Setting.of(
                  TOPIC_PATTERN,
                  Range.text("a regular expression of java.util.regex", InputOptions::isPattern)),
              Setting.common(
                  FORMAT,
                  Range.text("one of " + String.join(", ", formats()), formats()::contains)),
              Setting.common(FIELDS, Range.text("a list of fields")),
              Setting.of(ENVELOPE, Range.oneOf(Envelope.class)),
              Setting.of(MISSING, Range.listOf(Range.text("a word"))),
              Setting.of(DECIMAL, Range.oneOf(".", ",")),
              Setting.common(FEATURES, Range.atLeast(1)),
              Setting.common(OUTPUTS, Range.atLeast(1)),
              Setting.common(TARGET, Range.oneOf(Target.class)),
              Setting.of(CLASSES, Range.listOf(Range.text("a class's name"))),
              Setting.of(STANDARDIZE, Range.oneOf(Standardize.class)),
              Setting.of(CLIP, Range.zeroOrAtLeast(1.0)),
              Setting.of(BOUNDED, Range.trueOrFalse()),
              Setting.of(START, START_RANGE),
              Setting.of(
                  MAX_RECORD_SIZE, Range.between(new MemorySize(16), MemorySize.ofMebiBytes(1024))),
              Setting.of(ON_MISSING_OFFSETS, Range.oneOf(MissingOffsets.class)),
              Setting.of(ON_RECREATED_TOPIC, Range.oneOf(RecreatedTopic.class))));

  private InputOptions() {}

  /** Every format there is: of arrays of numbers, then of named fields alone. */
  private static List<String> formats() {
    return Stream.concat(ExampleFormat.names().stream(), RecordFormats.names().stream())
        .distinct()
        .toList();
  }

  /** Returns the shape of examples. Only for options that name its features and outputs. */
  public static ExampleShape shape(Configuration options) {
    return shapeIfGiven(options).orElseThrow();
  }

  /** Returns the shape of examples, or empty where the options don't say it. */
  public static Optional<ExampleShape> shapeIfGiven(Configuration options) {
    Configuration complete = InputFields.complete(new Configuration(options));
    if (!complete.contains(FEATURES) || !complete.contains(OUTPUTS)) {
      return Optional.empty();
    }
    ExampleShape ofRecords =
        InputFields.description(complete)
            .map(fields -> InputFields.shape(fields, complete))
            .orElseGet(() -> StructureOptions.shape(complete));
    // The rules tell where there can be none.
    return Optional.of(
        ofRecords.isFlat() ? ofRecords.withLabelLags(complete.get(LagOptions.LAGS)) : ofRecords);
  }

  /** The names of the classes in the order of their numbers; empty where they have none. */
  public static List<String> classes(Configuration options) {
    return options.getOptional(CLASSES).orElse(List.of());
  }

  /**
   * The format that the options name, set as they say: of what a record holds.
   *
   * @param all the shape of examples, with labels of records before
   */
  public static ExampleFormat exampleFormat(Configuration options, ExampleShape all) {
    ExampleShape shape = all.ofRecords();
    return InputFields.description(options)
        .map(fields -> InputFields.format(fields, options, shape, true))
        .orElseGet(
            () -> ExampleFormat.named(options.get(FORMAT), shape, CsvOptions.settings(options)));
  }

  /** Returns the format of examples whose labels nobody needs. */
  public static ExampleFormat unlabelledFormat(Configuration options, ExampleShape all) {
    ExampleShape shape = all.ofRecords();
    return InputFields.description(options)
        .map(fields -> InputFields.format(fields, options, shape, false))
        .orElseGet(
            () ->
                ExampleFormat.unlabelled(options.get(FORMAT), shape, CsvOptions.settings(options)));
  }

  private static boolean isPattern(String value) {
    try {
      Pattern.compile(value);
      return !value.isEmpty();
    } catch (PatternSyntaxException e) {
      return false;
    }
  }
}
