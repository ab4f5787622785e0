package dev.millrace.model;

import java.util.List;
import java.util.Objects;

/**
 * One tensor of a network, as its engine names it.
 *
 * @param shape its sizes; none for a single number
 * @param from index in the flat vector of its first value, which the others follow in row-major
 *     order
 */
public record TensorDescription(String name, List<Long> shape, int from) {

  public TensorDescription {
    Objects.requireNonNull(name, "name");
    shape = List.copyOf(shape);
  }

  /** Returns how many values it has. */
  public int length() {
    return Math.toIntExact(shape.stream().reduce(1L, Math::multiplyExact));
  }
}
