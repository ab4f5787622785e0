package dev.millrace.benchmark.still;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import java.util.Arrays;

/** See {@link StillEngine}. */
final class NoOpReplica implements ModelReplica {

  private final ModelSpec spec;
  private final float[] vector;
  private Steps steps = Steps.NONE;

  NoOpReplica(ModelSpec spec) {
    this.spec = spec;
    this.vector = new float[spec.vectorLength()];
  }

  @Override
  public ModelSpec spec() {
    return spec;
  }

  /** Predicts that every class is as likely. */
  @Override
  public void fit(Minibatch minibatch, float[] predictions) {
    int outputs = spec.shape().outputs();
    Arrays.fill(predictions, 0, minibatch.size() * outputs, 1f / outputs);
    steps = new Steps(steps.iteration() + 1, steps.ofUpdater() + 1);
  }

  @Override
  public void predict(float[] features, int rows, float[] predictions) {
    int outputs = spec.shape().outputs();
    Arrays.fill(predictions, 0, rows * outputs, 1f / outputs);
  }

  @Override
  public void read(int from, float[] target, int offset, int length) {
    System.arraycopy(vector, from, target, offset, length);
  }

  @Override
  public void write(int from, float[] source, int offset, int length) {
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
    // There is none.
  }

  @Override
  public void close() {
    // Nothing to free.
  }
}
