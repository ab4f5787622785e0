package dev.millrace.example;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds the class that a name stands for, without making a string of it.
 *
 * <p>Where names are numbers, such as the 1 to 7 of a table, a number is always a name and never a
 * class's own number: nobody could tell which of the two was meant.
 */
public final class ClassNames implements Serializable {

  public static final int UNKNOWN = -1;

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private final byte[][] names;
  private final boolean numeric;

  /**
   * @throws IllegalArgumentException if there are names, but not one for each class
   */
  public ClassNames(List<String> names, ExampleShape shape) {
    boolean named = shape.target() == Target.CLASSIFICATION && !names.isEmpty();
    if (named && names.size() != shape.outputs()) {
      throw new IllegalArgumentException(
          "%s class names for %s classes: name each of them, or none"
              .formatted(names.size(), shape.outputs()));
    }
    this.names =
        named ? names.stream().map(name -> name.getBytes(UTF_8)).toArray(byte[][]::new) : null;
    this.numeric = named && names.stream().anyMatch(name -> NUMBER.matcher(name).matches());
  }

  public boolean areGiven() {
    return names != null;
  }

  /** Whether there are names that are numbers, so that every number is meant as a name. */
  public boolean areNumeric() {
    return numeric;
  }

  /** The name of a class as UTF-8, if names are given; not to be changed. */
  public byte[] name(int label) {
    return names[label];
  }

  /** The class, or {@link #UNKNOWN}. */
  public int find(byte[] text, int from, int to) {
    for (int i = 0; names != null && i < names.length; i++) {
      if (Arrays.equals(names[i], 0, names[i].length, text, from, to)) {
        return i;
      }
    }
    return UNKNOWN;
  }

  public int find(String name) {
    byte[] text = name.getBytes(UTF_8);
    return find(text, 0, text.length);
  }

  /**
   * The class that a label means whose own text is no name: {@code 1.0}, as many tools write whole
   * numbers, means the class 1.
   *
   * @param number that the label is, NaN if it is none
   * @param text as it came, for the reason
   */
  public int meant(double number, String text) throws InvalidExampleException {
    long whole = (long) number;
    int label = whole == number ? find(Long.toString(whole)) : UNKNOWN;
    if (label == UNKNOWN) {
      String all = Arrays.stream(names).map(name -> new String(name, UTF_8)).collect(joining(", "));
      throw new InvalidExampleException(
          "label is no class name: %s; classes are %s"
              .formatted(Excerpt.of(text), Excerpt.unquoted(all)));
    }
    return label;
  }
}
