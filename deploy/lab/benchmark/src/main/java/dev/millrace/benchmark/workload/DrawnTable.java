package dev.millrace.benchmark.workload;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.model.shape.ExampleShape;
import java.util.Random;

/** Rows of random features around a centre for each class; the same ones for a seed. */
final class DrawnTable implements ExampleSequence {

  private final ExampleShape shape;
  private final long count;
  private final Random random = new Random(1);
  private final float[][] centres;
  private long given;

  DrawnTable(ExampleShape shape, long count) {
    this.shape = shape;
    this.count = count;
    this.centres = new float[shape.outputs()][shape.features()];
    for (float[] centre : centres) {
      for (int i = 0; i < centre.length; i++) {
        centre[i] = (float) (random.nextGaussian() / 2);
      }
    }
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
    if (given == count) {
      return false;
    }
    given++;
    into.reset();
    int label = random.nextInt(centres.length);
    for (int i = 0; i < shape.features(); i++) {
      into.features()[i] = (float) (centres[label][i] + random.nextGaussian());
    }
    into.setClass(label);
    return true;
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
