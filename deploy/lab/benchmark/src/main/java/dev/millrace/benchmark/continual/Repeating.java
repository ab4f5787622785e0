package dev.millrace.benchmark.continual;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;

/** Gives the same examples over and over, without end. */
final class Repeating implements ExampleSequence {

  private final StreamLab.Source source;
  private ExampleSequence examples;

  /**
   * @param source of at least one example
   */
  Repeating(StreamLab.Source source) throws IOException {
    this.source = source;
    this.examples = source.open();
  }

  @Override
  public ExampleShape shape() {
    return examples.shape();
  }

  @Override
  public long count() {
    return UNKNOWN;
  }

  @Override
  public boolean next(Example into) throws IOException {
    if (examples.next(into)) {
      return true;
    }
    examples.close();
    examples = source.open();
    return examples.next(into);
  }

  @Override
  public void close() throws IOException {
    examples.close();
  }
}
