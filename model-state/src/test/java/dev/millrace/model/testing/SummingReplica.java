package dev.millrace.model.testing;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.UnusableExamplesException;

/** See {@link SummingEngine}. */
final class SummingReplica implements ModelReplica {

  private final ModelSpec spec;
  private final float[] vector;
  private Steps steps = Steps.NONE;
  private boolean closed;

  SummingReplica(ModelSpec spec) {
    this.spec = spec;
    this.vector = new float[spec.vectorLength()];
  }

  @Override
  public ModelSpec spec() {
    return spec;
  }

  @Override
  public void fit(Minibatch minibatch, float[] predictions) {
    if (minibatch.isEmpty()) {
      throw new IllegalArgumentException("A step needs at least one example");
    }
    checkOpen();
    for (int row = 0; row < minibatch.size(); row++) {
      float unused = usable(minibatch.features()[row * spec.shape().features()]);
    }
    for (int row = 0; row < minibatch.size(); row++) {
      float value = minibatch.features()[row * spec.shape().features()];
      for (int i = 0; i < vector.length; i++) {
        vector[i] += i % 2 == 0 ? 1 : value;
      }
    }
    steps = new Steps(steps.iteration() + 1, steps.ofUpdater() + 1);
  }

  /** The mean of what a step would add. */
  @Override
  public void gradient(Minibatch minibatch, float[] target) {
    float sum = 0;
    for (int row = 0; row < minibatch.size(); row++) {
      sum += minibatch.features()[row * spec.shape().features()];
    }
    for (int i = 0; i < vector.length; i++) {
      target[i] = i % 2 == 0 ? 1 : sum / minibatch.size();
    }
  }

  @Override
  public void predict(float[] features, int rows, float[] predictions) {
    checkOpen();
    float sum = 0;
    for (float value : vector) {
      sum += value;
    }
    for (int row = 0; row < rows; row++) {
      predictions[row] = usable(features[row * spec.shape().features()]) + sum;
    }
  }

  private static float usable(float value) {
    if (value == Float.NEGATIVE_INFINITY) {
      throw new UnusableExamplesException("it knows no such number", null);
    }
    return value;
  }

  @Override
  public void read(int from, float[] target, int offset, int length) {
    checkOpen();
    System.arraycopy(vector, from, target, offset, length);
  }

  @Override
  public void write(int from, float[] source, int offset, int length) {
    checkOpen();
    System.arraycopy(source, offset, vector, from, length);
  }

  @Override
  public Steps steps() {
    return steps;
  }

  @Override
  public void setSteps(Steps made) {
    steps = made;
  }

  @Override
  public void scaleLearningRates(double proportional, double adaptive) {
    throw new UnsupportedOperationException("It has none");
  }

  @Override
  public void close() {
    closed = true;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("The replica is closed");
    }
  }
}
