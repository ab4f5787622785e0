package dev.millrace.benchmark.workload;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.model.shape.ExampleShape;
import java.util.ArrayList;
import java.util.List;

/** Examples in memory, in one order, once. */
public final class Concatenated implements ExampleSequence {

  private final ExampleShape shape;
  private final List<Example> examples;
  private int given;

  /**
   * @param examples at least one
   */
  public Concatenated(List<Example> examples) {
    this.shape = examples.get(0).shape();
    this.examples = List.copyOf(examples);
  }

  /**
   * Gives the examples of the first classes, then those of the next ones, and so on: each task has
   * all examples of its classes, in the order in which they are given.
   *
   * @param classes of each task
   */
  public static Concatenated tasks(List<Example> examples, int classes) {
    int outputs = examples.get(0).shape().outputs();
    List<Example> ordered = new ArrayList<>(examples.size());
    for (int first = 0; first < outputs; first += classes) {
      for (Example example : examples) {
        if (isOneOf(example.labels(), first, classes)) {
          ordered.add(example);
        }
      }
    }
    return new Concatenated(ordered);
  }

  private static boolean isOneOf(float[] labels, int first, int classes) {
    for (int i = first; i < Math.min(first + classes, labels.length); i++) {
      if (labels[i] > 0) {
        return true;
      }
    }
    return false;
  }

  /** All of them, in their order. */
  public List<Example> examples() {
    return examples;
  }

  @Override
  public ExampleShape shape() {
    return shape;
  }

  @Override
  public long count() {
    return examples.size();
  }

  @Override
  public boolean next(Example into) {
    if (given == examples.size()) {
      return false;
    }
    into.set(examples.get(given++));
    return true;
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
