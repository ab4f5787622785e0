package dev.millrace.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** Finds the class that a name stands for, without making a string of it. */
final class ClassNames implements Serializable {

  static final int UNKNOWN = -1;

  private final byte[][] names;

  /**
   * @throws IllegalArgumentException if there are names, but not one for each class
   */
  ClassNames(List<String> names, ExampleShape shape) {
    boolean named = shape.target() == Target.CLASSIFICATION && !names.isEmpty();
    if (named && names.size() != shape.outputs()) {
      throw new IllegalArgumentException(
          "%d class names for %d classes: name each of them, or none"
              .formatted(names.size(), shape.outputs()));
    }
    this.names =
        named ? names.stream().map(name -> name.getBytes(UTF_8)).toArray(byte[][]::new) : null;
  }

  boolean areGiven() {
    return names != null;
  }

  /** The name of a class as UTF-8, if names are given; not to be changed. */
  byte[] name(int label) {
    return names[label];
  }

  /** The class, or {@link #UNKNOWN}. */
  int find(byte[] text, int from, int to) {
    for (int i = 0; names != null && i < names.length; i++) {
      if (Arrays.equals(names[i], 0, names[i].length, text, from, to)) {
        return i;
      }
    }
    return UNKNOWN;
  }

  int find(String name) {
    byte[] text = name.getBytes(UTF_8);
    return find(text, 0, text.length);
  }
}
