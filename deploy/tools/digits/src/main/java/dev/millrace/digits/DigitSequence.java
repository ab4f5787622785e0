package dev.millrace.digits;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.model.shape.ExampleShape;

/** The first images of a generator. */
final class DigitSequence implements ExampleSequence {

  private final DigitGenerator generator;
  private final ExampleShape shape;
  private final long count;
  private long read;

  DigitSequence(DigitGenerator generator, ExampleShape shape, long count) {
    this.generator = generator;
    this.shape = shape;
    this.count = count;
  }

  @Override
  public ExampleShape shape() {
    return shape;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public boolean next(Example into) {
    if (read == count) {
      return false;
    }
    into.reset();
    into.setClass(generator.draw(read, into.features()));
    read++;
    return true;
  }

  @Override
  public boolean skip(Example scratch) {
    if (read == count) {
      return false;
    }
    read++;
    return true;
  }

  @Override
  public void close() {}
}
