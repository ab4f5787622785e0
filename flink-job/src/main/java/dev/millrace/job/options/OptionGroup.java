package dev.millrace.job.options;

import java.util.List;
import java.util.Objects;
import org.apache.flink.configuration.ConfigOption;

/**
 * The options of one class, as the reference page shows them.
 *
 * @param title a heading
 * @param meaning one or two sentences on what the group is about
 * @param settings its options, in the order of the page
 */
public record OptionGroup(String title, String meaning, List<Setting<?>> settings) {

  public OptionGroup {
    Objects.requireNonNull(title, "title");
    Objects.requireNonNull(meaning, "meaning");
    settings = List.copyOf(settings);
  }

  /** The values that an option of this group takes. */
  public Range<?> range(ConfigOption<?> option) {
    return settings.stream()
        .filter(setting -> setting.option().equals(option))
        .findFirst()
        .orElseThrow()
        .range();
  }
}
