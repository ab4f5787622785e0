package dev.millrace.job.join.options;

import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** What comes of a join, and where it goes. */
public final class JoinedOptions {

  /** What becomes of features without a label. */
  public enum Unlabelled {
    DROP,
    NEGATIVE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<String> OUTPUT =
      ConfigOptions.key(JoinOptions.PREFIX + "output.topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Receives features with labels, each pair once for readers of committed records."
                  + " Required for a join.");

  public static final ConfigOption<String> LABEL =
      ConfigOptions.key(JoinOptions.PREFIX + "label")
          .stringType()
          .defaultValue("label")
          .withDescription("Where the label stands in a label's record.");

  public static final ConfigOption<String> LABEL_AS =
      ConfigOptions.key(JoinOptions.PREFIX + "label.as")
          .stringType()
          .defaultValue("label")
          .withDescription("Name of the field with the label in the output.");

  public static final ConfigOption<Unlabelled> UNLABELLED =
      ConfigOptions.key(JoinOptions.PREFIX + "unlabelled")
          .enumType(Unlabelled.class)
          .defaultValue(Unlabelled.DROP)
          .withDescription(
              "What becomes of features whose label hasn't come in time: they are left out, or go"
                  + " on with the negative label.");

  public static final ConfigOption<String> NEGATIVE_LABEL =
      ConfigOptions.key(JoinOptions.PREFIX + "negative.label")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "The label of features without one, as it is to stand in the output: 0, false, no."
                  + " Required with join.unlabelled negative.");

  public static final ConfigOption<Double> NEGATIVE_SAMPLE =
      ConfigOptions.key(JoinOptions.PREFIX + "negative.sample")
          .doubleType()
          .defaultValue(1.0)
          .withDescription(
              "Share of the features without a label that go on, chosen by their key. Below 1 every"
                  + " record gets a weight: 1 with a label of its own, else 1 / share.");

  public static final ConfigOption<String> WEIGHT_AS =
      ConfigOptions.key(JoinOptions.PREFIX + "weight.as")
          .stringType()
          .defaultValue("weight")
          .withDescription("Name of the field with the weight in the output.");

  public static final ConfigOption<String> LATE =
      ConfigOptions.key(JoinOptions.PREFIX + "late.topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Receives what came too late, and labels without features, as dead letters. Absent:"
                  + " such records are only counted.");

  public static final ConfigOption<String> DUPLICATES =
      ConfigOptions.key(JoinOptions.PREFIX + "duplicates.topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Receives the second record of a side and key, as dead letters. Absent: such records"
                  + " are only counted.");

  public static final ConfigOption<String> REJECTED =
      ConfigOptions.key(JoinOptions.PREFIX + "rejected.topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Receives records without key, time or label, and what isn't readable, as dead"
                  + " letters. Absent: such records are only counted.");

  private static final Range<String> TOPIC = Range.text("a topic's name");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Join",
          "Features with labels that come later, from two topics into one: in a job of its own,"
              + " `millrace join`. See join.md.",
          List.of(
              Setting.of(JoinOptions.FEATURES, Range.listOf(TOPIC)),
              Setting.of(JoinOptions.LABELS, Range.listOf(TOPIC)),
              Setting.of(OUTPUT, TOPIC),
              Setting.of(JoinOptions.WITHIN, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(JoinOptions.BEFORE, Range.zeroOrAtLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(JoinOptions.KEY, JoinOptions.PATH),
              Setting.of(JoinOptions.LABELS_KEY, JoinOptions.PATH),
              Setting.of(JoinOptions.TIME, JoinOptions.PATH),
              Setting.of(JoinOptions.LABELS_TIME, JoinOptions.PATH),
              Setting.of(JoinOptions.AHEAD, Range.zeroOrAtLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(
                  JoinOptions.OUT_OF_ORDER, Range.zeroOrAtLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(JoinOptions.IDLE_AFTER, Range.zeroOrAtLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(LABEL, JoinOptions.PATH),
              Setting.of(LABEL_AS, Range.text("a name")),
              Setting.of(UNLABELLED, Range.oneOf(Unlabelled.class)),
              Setting.of(NEGATIVE_LABEL, Range.text("a number, true, false or a text")),
              Setting.of(NEGATIVE_SAMPLE, Range.share()),
              Setting.of(WEIGHT_AS, Range.text("a name")),
              Setting.of(LATE, TOPIC),
              Setting.of(DUPLICATES, TOPIC),
              Setting.of(REJECTED, TOPIC),
              Setting.of(JoinOptions.START, InputOptions.START_RANGE),
              Setting.of(JoinOptions.BOUNDED, Range.trueOrFalse())));

  private JoinedOptions() {}
}
