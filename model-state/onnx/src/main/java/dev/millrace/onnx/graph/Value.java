package dev.millrace.onnx.graph;

import java.util.Objects;

/**
 * What a node of a graph gives, or takes.
 *
 * @param name in the graph
 */
public record Value(String name, TensorLayout form) {

  /** An input that a node does without. */
  public static final Value NONE = new Value("", TensorLayout.OTHER);

  public Value {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(form, "form");
  }

  /** Returns the same value, seen in another way. */
  public Value as(TensorLayout other) {
    return new Value(name, other);
  }
}
