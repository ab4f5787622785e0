package dev.millrace.job.options;

import dev.millrace.fields.FieldPath;
import dev.millrace.fields.SequenceFields;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** Examples that are sequences. */
public final class SequenceOptions {

  /** What of a sequence has labels. */
  public enum Labels {
    LAST,
    STEP;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<String> PATH =
      ConfigOptions.key("input.sequence.path")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "With input.fields: the array whose elements are a sequence's steps. Fields whose paths"
                  + " begin with it are of each step; others are repeated in every step.");

  public static final ConfigOption<Integer> STEPS =
      ConfigOptions.key("input.sequence.steps")
          .intType()
          .noDefaultValue()
          .withDescription(
              "Most steps of a sequence; longer ones are rejected. Absent: examples are no"
                  + " sequences.");

  public static final ConfigOption<Labels> LABELS =
      ConfigOptions.key("input.sequence.labels")
          .enumType(Labels.class)
          .defaultValue(Labels.LAST)
          .withDescription("Whether a sequence has one label, of its last step, or each step has one.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Sequences",
          "Examples that are sequences of steps, each of the same features.",
          List.of(
              Setting.of(PATH, Range.text("a path such as order.items", SequenceOptions::isPath)),
              Setting.of(STEPS, Range.atLeast(1)),
              Setting.of(LABELS, Range.oneOf(Labels.class))));

  private SequenceOptions() {}

  /** The sequence of named fields; empty where examples are none. */
  static Optional<SequenceFields> fields(Configuration options) {
    return options.contains(PATH) && options.contains(STEPS)
        ? Optional.of(
            new SequenceFields(
                FieldPath.of(options.get(PATH)),
                options.get(STEPS),
                options.get(LABELS) == Labels.STEP))
        : Optional.empty();
  }

  private static boolean isPath(String value) {
    try {
      return !FieldPath.of(value).steps().isEmpty();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
