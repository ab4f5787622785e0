package dev.millrace.model.torch;

import java.util.List;
import java.util.Objects;

/**
 * Where a tensor of a module is in the flat vector [trainable parameters | buffers | updater
 * state].
 *
 * @param name of the tensor in the module, such as {@code features.0.weight}
 * @param layer the module that it belongs to, such as {@code features.0}; empty for the outermost
 * @param shape its sizes; none for a single number
 * @param role what training does to it
 * @param from index of its first value, which the others follow in row-major order
 * @param variance whether values below zero make no sense, as in {@code running_var}
 */
record TensorSlot(
    String name, String layer, List<Long> shape, Role role, int from, boolean variance) {

  /** What training does to a tensor. */
  enum Role {
    /** It follows its gradient. */
    PARAMETER,
    /** It has no gradient: statistics of what was seen, and parameters that are frozen. */
    BUFFER
  }

  TensorSlot {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(layer, "layer");
    Objects.requireNonNull(role, "role");
    shape = List.copyOf(shape);
    for (long size : shape) {
      if (size < 0) {
        throw new IllegalArgumentException("A tensor can't have the shape " + shape);
      }
    }
    Math.addExact(from, Math.toIntExact(shape.stream().reduce(1L, Math::multiplyExact)));
    Objects.checkIndex(from, Integer.MAX_VALUE);
  }

  /** Returns the sizes as libtorch takes them. */
  long[] sizes() {
    return shape.stream().mapToLong(Long::longValue).toArray();
  }

  /** Returns how many values it has. */
  int length() {
    return Math.toIntExact(shape.stream().reduce(1L, Math::multiplyExact));
  }

  /** Index behind its last value. */
  int to() {
    return from + length();
  }
}
