package dev.millrace.job.train.part.rebuild;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** What models can be made again from. */
public final class RebuildOptions {

  public static final ConfigOption<String> LOG =
      ConfigOptions.key("rebuild.log")
          .stringType()
          .noDefaultValue()
          .withDescription("Compacted topic, or directory (with a slash), of what replicas did.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "Rebuild",
          "Makes any version again, bit for bit. See [rebuild](../internals/rebuild.md).",
          List.of(Setting.of(LOG, Range.text("a topic's name, or a path"))));

  private RebuildOptions() {}
}
