package dev.millrace.exchange;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import java.util.ArrayList;
import java.util.List;

/** A model that notes which count and which learning rates it makes each step by. */
final class RecordedModel implements ModelReplica {

  private final ModelReplica model;
  private final List<Long> iterations = new ArrayList<>();
  private final List<Double> proportional = new ArrayList<>();
  private final List<Double> adaptive = new ArrayList<>();
  private double proportionalFactor = 1;
  private double adaptiveFactor = 1;

  RecordedModel(ModelReplica model) {
    this.model = model;
  }

  /** The model's iteration before each step. */
  List<Long> iterations() {
    return iterations;
  }

  /** Before each step, what proportional learning rates are multiplied by. */
  List<Double> proportional() {
    return proportional;
  }

  /** Before each step, what adaptive learning rates are multiplied by. */
  List<Double> adaptive() {
    return adaptive;
  }

  @Override
  public ModelSpec spec() {
    return model.spec();
  }

  @Override
  public void fit(Minibatch minibatch, float[] predictions) {
    iterations.add(model.steps().iteration());
    proportional.add(proportionalFactor);
    adaptive.add(adaptiveFactor);
    model.fit(minibatch, predictions);
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
  public void scaleLearningRates(double ofProportional, double ofAdaptive) {
    proportionalFactor = ofProportional;
    adaptiveFactor = ofAdaptive;
  }

  @Override
  public void close() {
    model.close();
  }
}
