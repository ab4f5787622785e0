package dev.millrace.job.train.measure;

import dev.millrace.example.Example;
import dev.millrace.exchange.segment.HeldOutExample;
import dev.millrace.file.ExampleSequence;
import dev.millrace.model.shape.ExampleShape;
import java.util.Iterator;

/** Examples that were held out, one after the other. */
final class HeldOutSequence implements ExampleSequence {

  private final ExampleShape shape;
  private final Iterator<HeldOutExample> examples;

  HeldOutSequence(ExampleShape shape, Iterator<HeldOutExample> examples) {
    this.shape = shape;
    this.examples = examples;
  }

  @Override
  public ExampleShape shape() {
    return shape;
  }

  @Override
  public boolean next(Example into) {
    if (!examples.hasNext()) {
      return false;
    }
    HeldOutExample example = examples.next();
    into.reset();
    System.arraycopy(example.features(), 0, into.features(), 0, shape.features());
    System.arraycopy(example.labels(), 0, into.labels(), 0, shape.labels());
    System.arraycopy(example.words(), 0, into.words(), 0, shape.words());
    into.ids().set(example.ids());
    if (shape.structure().isSequence()) {
      into.setSteps(example.steps());
    }
    return true;
  }

  @Override
  public void close() {}
}
