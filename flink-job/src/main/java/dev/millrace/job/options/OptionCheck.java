package dev.millrace.job.options;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Finds mistakes in keys and values, each by itself. Which options there are it is told. */
public final class OptionCheck {

  /** Shorter words are in too many descriptions. */
  private static final int LEAST_WORD = 4;

  private final List<Setting<?>> settings;
  private final List<String> passedOn;
  private final Collection<String> arguments;

  /**
   * @param settings all options
   * @param passedOn what keys start with that others judge
   * @param arguments what may have been meant beside options, such as {@code --parallelism}
   */
  public OptionCheck(
      List<Setting<?>> settings, List<String> passedOn, Collection<String> arguments) {
    this.settings = List.copyOf(settings);
    this.passedOn = List.copyOf(passedOn);
    this.arguments = List.copyOf(arguments);
  }

  /** A message for each key that is no option, with a hint at the one that is meant. */
  public List<String> unknownKeys(Configuration options) {
    List<String> known = settings.stream().map(Setting::key).toList();
    return options.keySet().stream()
        .sorted()
        .filter(key -> passedOn.stream().noneMatch(key::startsWith))
        .filter(key -> settings.stream().noneMatch(setting -> setting.has(key)))
        .map(key -> "%s is not an option; %s".formatted(key, hint(key, known)))
        .toList();
  }

  private String hint(String wrong, List<String> known) {
    List<String> candidates = new ArrayList<>(arguments);
    candidates.addAll(known);
    return NearestKey.to(wrong, candidates)
        .map(nearest -> "did you mean %s?".formatted(nearest))
        .or(
            () ->
                word(wrong)
                    .map(found -> "'millrace options %s' lists what may be meant".formatted(found)))
        .orElse("docs/reference/options.md lists them all");
  }

  /** The last word of a key that options have, too, in their keys or descriptions. */
  private Optional<String> word(String wrong) {
    List<String> words = List.of(wrong.toLowerCase(Locale.ROOT).split("[.-]", -1));
    for (int i = words.size() - 1; i >= 0; i--) {
      String word = words.get(i);
      if (word.length() >= LEAST_WORD && settings.stream().anyMatch(s -> s.mentions(word))) {
        return Optional.of(word);
      }
    }
    return Optional.empty();
  }

  /** A message for each value that isn't of its option's type or not in its range. */
  public List<String> wrongValues(Configuration options) {
    return settings.stream()
        .filter(setting -> options.containsKey(setting.key()))
        .filter(setting -> !isRight(setting, options))
        .map(
            setting ->
                "%s is '%s'; it must be %s"
                    .formatted(
                        setting.key(),
                        setting.isSecret() ? "…" : options.toMap().get(setting.key()),
                        setting.range().text()))
        .toList();
  }

  private static <T> boolean isRight(Setting<T> setting, Configuration options) {
    try {
      Optional<T> value = options.getOptional(setting.option());
      return value.isPresent() && setting.range().accepts().test(value.get());
    } catch (IllegalArgumentException e) {
      // What Flink throws where the text isn't of the option's type.
      return false;
    }
  }
}
