package dev.millrace.benchmark.workload;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.Arrays;

/**
 * The first examples of another sequence; from one of them on each class has its neighbour's
 * number: 0 and 1 are exchanged, 2 and 3, and so on. A drift of what classes mean, with images
 * unchanged.
 */
public final class ExchangedClasses implements ExampleSequence {

  private final ExampleSequence examples;
  private final long from;
  private final long count;
  private long given;

  /**
   * @param examples of an even number of classes; closed with this
   * @param from first example with exchanged classes
   * @param count of examples, at most as many as there are
   */
  public ExchangedClasses(ExampleSequence examples, long from, long count) {
    int classes = examples.shape().outputs();
    if (classes % 2 != 0) {
      throw new IllegalArgumentException("Classes in pairs can't be " + classes);
    }
    this.examples = examples;
    this.from = from;
    this.count = count;
  }

  @Override
  public ExampleShape shape() {
    return examples.shape();
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public boolean next(Example into) throws IOException {
    if (given == count || !examples.next(into)) {
      return false;
    }
    if (given++ >= from) {
      int label = classOf(into.labels());
      Arrays.fill(into.labels(), 0);
      into.setClass(label ^ 1);
    }
    return true;
  }

  private static int classOf(float[] labels) {
    int label = 0;
    for (int i = 1; i < labels.length; i++) {
      if (labels[i] > labels[label]) {
        label = i;
      }
    }
    return label;
  }

  @Override
  public void close() throws IOException {
    examples.close();
  }
}
