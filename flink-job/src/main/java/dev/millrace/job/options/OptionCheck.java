package dev.millrace.job.options;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.flink.configuration.Configuration;

/** Finds every mistake in the options of a job before it is submitted. */
public final class OptionCheck {

  private OptionCheck() {}

  /**
   * Checks every key and every value, and what the options of a training job say together; those of
   * scoring, too, where there are any.
   *
   * @throws InvalidOptionsException if anything is wrong, with all problems at once
   */
  public static void check(Configuration options) {
    check(options, OptionRules::violations);
  }

  /**
   * The same for a job that only scores: what is for training alone needn't be there, and isn't
   * used where it is.
   */
  public static void checkScoring(Configuration options) {
    check(options, OptionRules::scoringViolations);
  }

  private static void check(
      Configuration options, Function<Configuration, List<String>> violations) {
    List<String> problems = new ArrayList<>(unknownKeys(options));
    List<String> wrongValues = wrongValues(options);
    problems.addAll(wrongValues);
    if (wrongValues.isEmpty()) {
      // Rules read values, so they have to wait until each is right on its own.
      problems.addAll(violations.apply(options));
    }
    refuseIfAny(problems);
  }

  /**
   * Checks keys and values alone, each by itself: for a use of the options that isn't a job.
   *
   * @throws InvalidOptionsException if anything is wrong, with all problems at once
   */
  public static void checkEach(Configuration options) {
    List<String> problems = new ArrayList<>(unknownKeys(options));
    problems.addAll(wrongValues(options));
    refuseIfAny(problems);
  }

  private static void refuseIfAny(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }

  private static List<String> unknownKeys(Configuration options) {
    List<String> known = MillraceOptions.settings().map(Setting::key).toList();
    List<String> problems = new ArrayList<>();
    for (String key : options.keySet().stream().sorted().toList()) {
      boolean passedOn = key.startsWith(KafkaOptions.PREFIX) || key.startsWith(FlinkOptions.PREFIX);
      if (!passedOn && !known.contains(key)) {
        problems.add(
            "%s is not an option; %s"
                .formatted(
                    key,
                    NearestKey.to(key, known)
                        .map(nearest -> "did you mean " + nearest + "?")
                        .orElse("docs/options.md lists them all")));
      }
    }
    return problems;
  }

  private static List<String> wrongValues(Configuration options) {
    return MillraceOptions.settings()
        .filter(setting -> options.containsKey(setting.key()))
        .filter(setting -> !isRight(setting, options))
        .map(
            setting ->
                "%s is '%s'; it must be %s"
                    .formatted(
                        setting.key(), options.toMap().get(setting.key()), setting.range().text()))
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
