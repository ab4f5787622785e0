package dev.millrace.job.options;

import java.util.Objects;
import org.apache.flink.configuration.ConfigOption;

/** An option together with the values that it takes. */
public record Setting<T>(ConfigOption<T> option, Range<T> range) {

  public Setting {
    Objects.requireNonNull(option, "option");
    Objects.requireNonNull(range, "range");
  }

  static <T> Setting<T> of(ConfigOption<T> option, Range<T> range) {
    return new Setting<>(option, range);
  }

  public String key() {
    return option.key();
  }
}
