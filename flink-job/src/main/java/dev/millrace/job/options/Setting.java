package dev.millrace.job.options;

import java.util.Locale;
import java.util.Objects;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;

/**
 * An option together with the values that it takes.
 *
 * @param isCommon whether most users need to know it: such options stand first in lists
 * @param isSecret whether its value is in no message, and isn't kept with models
 * @param isExperimental whether no figure shows yet what it is good for
 */
public record Setting<T>(
    ConfigOption<T> option,
    Range<T> range,
    boolean isCommon,
    boolean isSecret,
    boolean isExperimental) {

  public Setting {
    Objects.requireNonNull(option, "option");
    Objects.requireNonNull(range, "range");
  }

  public static <T> Setting<T> of(ConfigOption<T> option, Range<T> range) {
    return new Setting<>(option, range, false, false, false);
  }

  /** An option that most users need to know. */
  public static <T> Setting<T> common(ConfigOption<T> option, Range<T> range) {
    return new Setting<>(option, range, true, false, false);
  }

  /** An option whose value nobody else may see. */
  public static <T> Setting<T> secret(ConfigOption<T> option, Range<T> range) {
    return new Setting<>(option, range, false, true, false);
  }

  /** An option that may change or go: no figure shows yet what it is good for. */
  public static <T> Setting<T> experimental(ConfigOption<T> option, Range<T> range) {
    return new Setting<>(option, range, false, false, true);
  }

  public String key() {
    return option.key();
  }

  /** Whether a key is this option's, or one of those under it. */
  public boolean has(String other) {
    return other.equals(key()) || (range.isMap() && other.startsWith(key() + "."));
  }

  /** Whether its key or its description has a word, in capitals or not. */
  public boolean mentions(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    return key().contains(lower) || description().toLowerCase(Locale.ROOT).contains(lower);
  }

  /** Says what it is for, in a few sentences. */
  public String description() {
    return new HtmlFormatter().format(option.description());
  }
}
