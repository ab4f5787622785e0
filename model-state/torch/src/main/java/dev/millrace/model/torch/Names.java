package dev.millrace.model.torch;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Names in messages. */
final class Names {

  private Names() {}

  /** All of them, with commas between. */
  static String of(Object[] named) {
    return Arrays.stream(named).map(Object::toString).collect(Collectors.joining(", "));
  }
}
