package dev.millrace.kafka;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.kafka.source.TextFormat;
import dev.millrace.model.shape.ExampleShape;

/** Examples for tests: number i has the feature i, and the id "example-i". */
public final class Counting implements ExampleSequence {

  private final long count;
  private long next;

  public Counting(long count) {
    this.count = count;
  }

  @Override
  public ExampleShape shape() {
    return TextFormat.SHAPE;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public boolean next(Example into) {
    if (next == count) {
      return false;
    }
    into.features()[0] = next;
    into.features()[1] = 0;
    into.setClass((int) (next % 3));
    into.setId("example-" + next);
    next++;
    return true;
  }

  @Override
  public void close() {}
}
