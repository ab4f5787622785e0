package dev.millrace.exchange;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.device.DeviceUse;

/** A model that another one computes for. */
public abstract class ForwardingModel implements ModelReplica {

  private final ModelReplica model;

  protected ForwardingModel(ModelReplica model) {
    this.model = model;
  }

  @Override
  public ModelSpec spec() {
    return model.spec();
  }

  @Override
  public void fit(Minibatch minibatch, float[] predictions) {
    model.fit(minibatch, predictions);
  }

  @Override
  public void gradient(Minibatch minibatch, float[] target) {
    model.gradient(minibatch, target);
  }

  @Override
  public void predict(float[] features, int rows, float[] predictions) {
    model.predict(features, rows, predictions);
  }

  @Override
  public void read(int from, float[] target, int offset, int length) {
    model.read(from, target, offset, length);
  }

  @Override
  public void write(int from, float[] source, int offset, int length) {
    model.write(from, source, offset, length);
  }

  @Override
  public Steps steps() {
    return model.steps();
  }

  @Override
  public void setSteps(Steps steps) {
    model.setSteps(steps);
  }

  @Override
  public void scaleLearningRates(double proportional, double adaptive) {
    model.scaleLearningRates(proportional, adaptive);
  }

  @Override
  public void setRandomStream(long stream) {
    model.setRandomStream(stream);
  }

  @Override
  public DeviceUse deviceUse() {
    return model.deviceUse();
  }

  @Override
  public void close() {
    model.close();
  }
}
