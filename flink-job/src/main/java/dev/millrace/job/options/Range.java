package dev.millrace.job.options;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.flink.configuration.MemorySize;

/**
 * The values that an option takes.
 *
 * @param text how the range reads after "must be" and on the reference page
 * @param accepts whether a value lies in it
 * @param form how a value is written
 * @param choices the words that a value, or an element of a list, is one of; none if there are
 *     others
 */
public record Range<T>(String text, Predicate<T> accepts, Form form, List<String> choices) {

  /** How a value is written: what editors know by names of JSON. */
  public enum Form {
    WHOLE_NUMBER,
    NUMBER,
    TRUE_OR_FALSE,
    TEXT,
    LIST,
    MAP
  }

  public Range {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(accepts, "accepts");
    Objects.requireNonNull(form, "form");
    choices = List.copyOf(choices);
  }

  private Range(String text, Predicate<T> accepts, Form form) {
    this(text, accepts, form, List.of());
  }

  private Range(String text, Predicate<T> accepts) {
    this(text, accepts, Form.TEXT);
  }

  /** Returns whether the value is a list. */
  public boolean isList() {
    return form == Form.LIST;
  }

  /** Returns whether there are keys and values of its own under the option's key. */
  public boolean isMap() {
    return form == Form.MAP;
  }

  /** Allows keys and values under the option's key, described by {@code text}; rules judge them. */
  public static Range<Map<String, String>> map(String text) {
    return new Range<>(text, value -> true, Form.MAP);
  }

  public static Range<Integer> atLeast(int least) {
    return new Range<>(
        "a whole number of at least " + least, value -> value >= least, Form.WHOLE_NUMBER);
  }

  /** Allows whole numbers from {@code least} to {@code most}, both inclusive. */
  public static Range<Integer> wholeNumbers(int least, int most) {
    return new Range<>(
        "a whole number from %s to %s".formatted(least, most),
        value -> value >= least && value <= most,
        Form.WHOLE_NUMBER);
  }

  public static Range<Double> above(double bound) {
    return new Range<>(
        "a number above " + plain(bound), value -> value > bound && finite(value), Form.NUMBER);
  }

  public static Range<Double> atLeast(double least) {
    return new Range<>(
        "a number of at least " + plain(least),
        value -> value >= least && finite(value),
        Form.NUMBER);
  }

  /** Allows numbers from {@code least}, inclusive, to {@code bound}, exclusive. */
  public static Range<Double> between(double least, double bound) {
    return new Range<>(
        "a number of at least %s and below %s".formatted(plain(least), plain(bound)),
        value -> value >= least && value < bound,
        Form.NUMBER);
  }

  /** Allows numbers above 0, up to 1 and inclusive. */
  public static Range<Double> share() {
    return new Range<>(
        "a number above 0 and at most 1", value -> value > 0 && value <= 1, Form.NUMBER);
  }

  /** Strictly between 0 and 1. */
  public static Range<Double> fraction() {
    return new Range<>(
        "a number above 0 and below 1", value -> value > 0 && value < 1, Form.NUMBER);
  }

  public static Range<Double> zeroOrAtLeast(double least) {
    return new Range<>(
        "0 or a number of at least " + plain(least),
        value -> value == 0 || (value >= least && finite(value)),
        Form.NUMBER);
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
    return new Range<>(
        "a whole number of at least " + least, value -> value >= least, Form.WHOLE_NUMBER);
  }

  public static Range<Long> anyWholeNumber() {
    return new Range<>("a whole number", value -> true, Form.WHOLE_NUMBER);
  }

  public static Range<Boolean> trueOrFalse() {
    return new Range<>("true or false", value -> true, Form.TRUE_OR_FALSE);
  }

  public static <E extends Enum<E>> Range<E> oneOf(Class<E> choices) {
    List<String> words = Arrays.stream(choices.getEnumConstants()).map(Object::toString).toList();
    return new Range<>(anyOf(words), value -> true, Form.TEXT, words);
  }

  public static Range<String> oneOf(String... choices) {
    List<String> list = List.of(choices);
    return new Range<>(anyOf(list), list::contains, Form.TEXT, list);
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
        Form.LIST,
        element.choices());
  }

  private static String anyOf(List<String> choices) {
    if (choices.size() == 1) {
      return choices.get(0);
    }
    int last = choices.size() - 1;
    return String.join(", ", choices.subList(0, last)) + " or " + choices.get(last);
  }

  private static boolean finite(double value) {
    return !Double.isInfinite(value);
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
