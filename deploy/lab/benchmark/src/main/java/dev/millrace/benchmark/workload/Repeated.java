package dev.millrace.benchmark.workload;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.model.shape.ExampleShape;
import java.util.List;

/** Gives the same examples over and over, up to a count. */
final class Repeated implements ExampleSequence {

  private final List<Example> examples;
  private final long count;
  private long given;

  /**
   * @param examples at least one
   */
  Repeated(List<Example> examples, long count) {
    this.examples = examples;
    this.count = count;
  }

  @Override
  public ExampleShape shape() {
    return examples.get(0).shape();
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public boolean next(Example into) {
    if (given == count) {
      return false;
    }
    into.set(examples.get((int) (given++ % examples.size())));
    return true;
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
