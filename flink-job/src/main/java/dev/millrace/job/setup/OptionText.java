package dev.millrace.job.setup;

import dev.millrace.job.options.Setting;
import dev.millrace.job.options.SizeText;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.TimeUtils;

/** Values of options as texts have them. */
public final class OptionText {

  private OptionText() {}

  /** The default; empty where there is none. */
  public static String defaultOf(Setting<?> setting) {
    return setting.option().hasDefaultValue() ? of(setting.option().defaultValue()) : "";
  }

  static String of(Object value) {
    if (value instanceof Duration duration) {
      return TimeUtils.formatWithHighestUnit(duration);
    }
    if (value instanceof MemorySize size) {
      return SizeText.of(size);
    }
    if (value instanceof List<?> list) {
      return list.stream().map(OptionText::of).collect(Collectors.joining(";"));
    }
    return value.toString();
  }
}
