package dev.millrace.job.options;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * What options must say for another one to act.
 *
 * @param text reads after "acts only"
 * @param holds whether options say it; every value is right on its own
 */
public record Condition(String text, Predicate<Configuration> holds) {

  public Condition {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(holds, "holds");
  }

  /** Holds where at least one of the options is given. */
  public static Condition given(ConfigOption<?>... options) {
    return new Condition(
        "with " + Stream.of(options).map(ConfigOption::key).collect(Collectors.joining(" or ")),
        values -> Stream.of(options).anyMatch(values::contains));
  }

  /** An option isn't given. */
  public static Condition absent(ConfigOption<?> option) {
    return new Condition("without " + option.key(), values -> !values.contains(option));
  }

  /** An option has one of the values, given or by default. */
  @SafeVarargs
  @SuppressWarnings("varargs") // They are only read.
  public static <T> Condition is(ConfigOption<T> option, T... accepted) {
    List<T> list = Arrays.asList(accepted);
    return new Condition(
        "with %s %s"
            .formatted(
                option.key(),
                list.stream().map(Object::toString).collect(Collectors.joining(" or "))),
        values ->
            values
                .getOptional(option)
                .or(() -> defaultOf(option))
                .filter(list::contains)
                .isPresent());
  }

  private static <T> Optional<T> defaultOf(ConfigOption<T> option) {
    return Optional.ofNullable(option.defaultValue());
  }

  public Condition and(Condition other) {
    return new Condition(
        text + " and " + other.text, values -> holds.test(values) && other.holds.test(values));
  }

  public Condition or(Condition other) {
    return new Condition(
        text + " or " + other.text, values -> holds.test(values) || other.holds.test(values));
  }
}
