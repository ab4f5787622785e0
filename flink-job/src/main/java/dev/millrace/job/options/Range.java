package dev.millrace.job.options;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.flink.configuration.MemorySize;

/**
 * The values that an option takes.
 *
 * @param text how the range reads after "must be" and on the reference page
 * @param accepts whether a value lies in it
 * @param isList whether the value is a list
 */
public record Range<T>(String text, Predicate<T> accepts, boolean isList) {

  public Range {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(accepts, "accepts");
  }

  private Range(String text, Predicate<T> accepts) {
    this(text, accepts, false);
  }

  public static Range<Integer> atLeast(int least) {
    return new Range<>("a whole number of at least " + least, value -> value >= least);
  }

  public static Range<Double> above(double bound) {
    return new Range<>("a number above " + plain(bound), value -> value > bound && finite(value));
  }

  public static Range<Double> atLeast(double least) {
    return new Range<>(
        "a number of at least " + plain(least), value -> value >= least && finite(value));
  }

  /** Allows numbers from {@code least}, inclusive, to {@code bound}, exclusive. */
  public static Range<Double> between(double least, double bound) {
    return new Range<>(
        "a number of at least %s and below %s".formatted(plain(least), plain(bound)),
        value -> value >= least && value < bound);
  }

  /** Allows numbers above 0, up to 1 and inclusive. */
  public static Range<Double> share() {
    return new Range<>("a number above 0 and at most 1", value -> value > 0 && value <= 1);
  }

  /** Strictly between 0 and 1. */
  public static Range<Double> fraction() {
    return new Range<>("a number above 0 and below 1", value -> value > 0 && value < 1);
  }

  public static Range<Double> zeroOrAtLeast(double least) {
    return new Range<>(
        "0 or a number of at least " + plain(least),
        value -> value == 0 || (value >= least && finite(value)));
  }

  public static Range<Duration> atLeast(Duration least, String written) {
    return new Range<>(
        "a duration of at least " + written + ", such as 500 ms or 1 min",
        value -> value.compareTo(least) >= 0);
  }

  public static Range<Duration> zeroOrAtLeast(Duration least, String written) {
    return new Range<>(
        "0 or a duration of at least " + written + ", such as 500 ms or 1 min",
        value -> value.isZero() || value.compareTo(least) >= 0);
  }

  public static Range<MemorySize> between(MemorySize least, MemorySize most) {
    return new Range<>(
        "a size from %s to %s, such as 256kb".formatted(SizeText.of(least), SizeText.of(most)),
        value -> value.compareTo(least) >= 0 && value.compareTo(most) <= 0);
  }

  public static Range<Long> atLeast(long least) {
    return new Range<>("a whole number of at least " + least, value -> value >= least);
  }

  public static Range<Long> anyWholeNumber() {
    return new Range<>("a whole number", value -> true);
  }

  public static Range<Boolean> trueOrFalse() {
    return new Range<>("true or false", value -> true);
  }

  public static <E extends Enum<E>> Range<E> oneOf(Class<E> choices) {
    return new Range<>(anyOf(Arrays.asList(choices.getEnumConstants())), value -> true);
  }

  public static Range<String> oneOf(String... choices) {
    List<String> list = List.of(choices);
    return new Range<>(anyOf(list), list::contains);
  }

  /** Any text but an empty one, described by {@code text}. */
  public static Range<String> text(String text) {
    return new Range<>(text, value -> !value.isBlank());
  }

  /** Text that matches a rule, described by {@code text}. */
  public static Range<String> text(String text, Predicate<String> accepts) {
    return new Range<>(text, accepts);
  }

  public static <T> Range<List<T>> listOf(Range<T> element) {
    return new Range<>(
        "a list with ; or , between the elements, each " + element.text(),
        list -> !list.isEmpty() && list.stream().allMatch(element.accepts()),
        true);
  }

  private static String anyOf(List<?> choices) {
    if (choices.size() == 1) {
      return choices.get(0).toString();
    }
    int last = choices.size() - 1;
    return choices.subList(0, last).stream().map(Object::toString).collect(Collectors.joining(", "))
        + " or "
        + choices.get(last);
  }

  private static boolean finite(double value) {
    return !Double.isInfinite(value);
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
