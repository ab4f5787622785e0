package dev.millrace.job.train.history;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** What is learned from before topics are. */
public final class HistoryOptions {

  public static final ConfigOption<String> PATH =
      ConfigOptions.key("input.history")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A file, a directory or a pattern such as s3://b/orders-*.jsonl.gz, of JSON or CSV."
                  + " Read whole before the topics.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "History", "Files before topics.", List.of(Setting.of(PATH, Range.text("a path"))));

  private HistoryOptions() {}
}
