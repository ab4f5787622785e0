package dev.millrace.job.options;

import dev.millrace.example.LagSettings;
import dev.millrace.example.LagSettings.By;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** Labels of records before that are features. */
public final class LagOptions {

  /** Keys of a partition whose labels are remembered: the least recently used go. */
  private static final int MOST_KEYS = 10_000;

  public static final ConfigOption<Integer> LAGS =
      ConfigOptions.key("input.label-lags")
          .intType()
          .defaultValue(0)
          .withDescription("Labels of so many records before become features.");

  public static final ConfigOption<By> BY =
      ConfigOptions.key("input.label-lags-by")
          .enumType(By.class)
          .defaultValue(By.PARTITION)
          .withDescription(
              "Whether these are the records before in the partition, or with the same key.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Labels before",
          "Where the last labels tell much about the next one.",
          List.of(Setting.of(LAGS, Range.atLeast(0)), Setting.of(BY, Range.oneOf(By.class))));

  private LagOptions() {}

  /** Returns of which records these labels are. */
  public static LagSettings settings(Configuration options) {
    return new LagSettings(options.get(BY), MOST_KEYS);
  }

  /** Says what whoever starts a job that learns from them should know; nothing where it doesn't. */
  public static List<String> warnings(Configuration options) {
    return options.get(LAGS) == 0
        ? List.of()
        : List.of(
            ("%s is '%s': labels of records before are features. So each record must have its label"
                    + " when it comes, and a model is as good as in training only where the last"
                    + " labels are known. With more than one replica a partition is read by one of"
                    + " them")
                .formatted(LAGS.key(), options.get(LAGS)));
  }

  /**
   * Says what whoever has such a model predict for records without labels should know; nothing
   * where it has none.
   */
  public static List<String> scoringWarnings(Configuration options) {
    return options.get(LAGS) == 0
        ? List.of()
        : List.of(
            ("%s is '%s', and scoring doesn't read labels: those features are 0, and predictions are"
                    + " worse than in training")
                .formatted(LAGS.key(), options.get(LAGS)));
  }

  /** Checks that examples are of a kind that can have such features. */
  static void check(OptionRules rules) {
    if (rules.options().get(LAGS) == 0) {
      return;
    }
    List<ConfigOption<?>> others =
        List.of(
            StructureOptions.SEQUENCE_STEPS,
            StructureOptions.GRAPH_INPUTS,
            StructureOptions.GRAPH_OUTPUTS,
            ModelOptions.IMAGE);
    for (ConfigOption<?> other : others) {
      if (rules.has(other)) {
        rules.broken(
            ("%s and %s are both set, and labels of records before are features of plain examples"
                    + " alone; leave one of them out")
                .formatted(LAGS.key(), other.key()));
      }
    }
    if (rules.options().getOptional(ModelOptions.NAME).filter("lenet"::equals).isPresent()) {
      rules.broken(
          "%s is set, and model.name is 'lenet', which takes images".formatted(LAGS.key()));
    }
  }
}
