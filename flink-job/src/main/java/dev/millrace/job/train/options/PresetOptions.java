package dev.millrace.job.train.options;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** Everything at once. */
public final class PresetOptions {

  public static final ConfigOption<JobPreset> PRESET =
      ConfigOptions.key(JobPreset.KEY)
          .enumType(JobPreset.class)
          .noDefaultValue()
          .withDescription(
              "streaming: for tables that are learned record by record, such as time series."
                  + " See docs/guides/changing-data.md.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Preset",
          "What suits a kind of data, in one word.",
          List.of(Setting.common(PRESET, Range.oneOf(JobPreset.class))));

  private PresetOptions() {}

  /** Whether a job learns record by record. */
  public static boolean isStreaming(Configuration options) {
    return options.getOptional(PRESET).filter(JobPreset.STREAMING::equals).isPresent();
  }
}
