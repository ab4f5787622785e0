package dev.millrace.fields;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a value stands in a record, such as {@code order.items[0].price}: names of fields, and
 * places in arrays. A name with points, brackets or nothing is in brackets and quotes, {@code
 * ["http.status"]}; a quote or a backslash in it has a backslash before it.
 *
 * @param steps none for the value that it begins in; each a {@link String}, a field's name, or an
 *     {@link Integer}, a place counted from 0
 */
public record FieldPath(List<Object> steps) implements Serializable {

  /** The path of the value that paths begin in. */
  public static final FieldPath ROOT = new FieldPath(List.of());

  private static final Pattern PLAIN = Pattern.compile("[^.\\[\\]]+");

  private static final Pattern STEP =
      Pattern.compile(
          "\\[(\\d{1,6})]|\\[\"((?:[^\"\\\\]|\\\\[\"\\\\])*+)\"]|(?:^|\\.)(" + PLAIN + ")");

  public FieldPath {
    steps = List.copyOf(steps);
  }

  /**
   * Reads a path as people write it.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static FieldPath of(String text) {
    List<Object> steps = new ArrayList<>();
    Matcher matcher = STEP.matcher(text);
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      end = matcher.end();
      steps.add(step(matcher));
    }
    if (end < text.length() || steps.isEmpty()) {
      throw new IllegalArgumentException(
          ("\"%s\" is no path of a field, such as amount, order.items[0].price or"
                  + " [\"a name with points.\"]")
              .formatted(text));
    }
    return new FieldPath(steps);
  }

  private static Object step(Matcher matcher) {
    if (matcher.group(1) != null) {
      return Integer.valueOf(matcher.group(1));
    }
    return matcher.group(2) == null
        ? matcher.group(3)
        : matcher.group(2).replaceAll("\\\\(.)", "$1");
  }

  /** Whether it leads to a path, or through it. */
  public boolean startsWith(FieldPath other) {
    return steps.size() >= other.steps.size()
        && steps.subList(0, other.steps.size()).equals(other.steps);
  }

  /** Returns what follows a path that it {@linkplain #startsWith starts with}. */
  public FieldPath after(FieldPath other) {
    return new FieldPath(steps.subList(other.steps.size(), steps.size()));
  }

  /** The path that goes one step further. */
  public FieldPath then(Object step) {
    List<Object> further = new ArrayList<>(steps);
    further.add(step);
    return new FieldPath(further);
  }

  /** Returns it as RFC 6901 writes it, for trees of JSON. */
  public String pointer() {
    StringBuilder pointer = new StringBuilder();
    for (Object step : steps) {
      pointer.append('/').append(step.toString().replace("~", "~0").replace("/", "~1"));
    }
    return pointer.toString();
  }

  /** The path that goes on with all steps of another. */
  public FieldPath append(FieldPath other) {
    List<Object> further = new ArrayList<>(steps);
    further.addAll(other.steps);
    return new FieldPath(further);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Object step : steps) {
      if (step instanceof Integer) {
        text.append('[').append(step).append(']');
      } else if (!PLAIN.matcher((String) step).matches()) {
        text.append("[\"").append(((String) step).replaceAll("[\"\\\\]", "\\\\$0")).append("\"]");
      } else {
        text.append(text.isEmpty() ? "" : ".").append(step);
      }
    }
    return text.toString();
  }
}
