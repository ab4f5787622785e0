package dev.millrace.job.join.options;

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
          .withDescription("Receives each pair once. Required.");

  public static final ConfigOption<String> LABEL =
      ConfigOptions.key(JoinOptions.PREFIX + "label")
          .stringType()
          .defaultValue("label")
          .withDescription("Field with the label.");

  public static final ConfigOption<Unlabelled> UNLABELLED =
      ConfigOptions.key(JoinOptions.PREFIX + "unlabelled")
          .enumType(Unlabelled.class)
          .defaultValue(Unlabelled.DROP)
          .withDescription(
              "Whether features without a label are dropped, or get join.negative.label.");

  public static final ConfigOption<String> NEGATIVE_LABEL =
      ConfigOptions.key(JoinOptions.PREFIX + "negative.label")
          .stringType()
          .noDefaultValue()
          .withDescription("Their label, such as 0, false or no.");

  public static final ConfigOption<Double> NEGATIVE_SAMPLE =
      ConfigOptions.key(JoinOptions.PREFIX + "negative.sample")
          .doubleType()
          .defaultValue(1.0)
          .withDescription("Share of them that is kept. Records get a weight.");

  private static final Range<String> TOPIC = Range.text("a topic's name");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Join",
          "Labels that come later: `millrace join`. What isn't joined goes to"
              + " `dead-letter.topic`. See [labels later](../guides/labels-later.md).",
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
              Setting.of(
                  JoinOptions.OUT_OF_ORDER, Range.zeroOrAtLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(LABEL, JoinOptions.PATH),
              Setting.of(UNLABELLED, Range.oneOf(Unlabelled.class)),
              Setting.of(NEGATIVE_LABEL, Range.text("a number, true, false or a text")),
              Setting.of(NEGATIVE_SAMPLE, Range.share())));

  private JoinedOptions() {}
}
