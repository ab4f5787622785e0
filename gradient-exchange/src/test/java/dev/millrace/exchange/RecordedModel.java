package dev.millrace.exchange;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import java.util.ArrayList;
import java.util.List;

/** A model that notes which count and which learning rates it makes each step by. */
final class RecordedModel extends ForwardingModel {

  private final List<Long> iterations = new ArrayList<>();
  private final List<Double> proportional = new ArrayList<>();
  private final List<Double> adaptive = new ArrayList<>();
  private double proportionalFactor = 1;
  private double adaptiveFactor = 1;

  RecordedModel(ModelReplica model) {
    super(model);
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
  public void fit(Minibatch minibatch, float[] predictions) {
    iterations.add(steps().iteration());
    proportional.add(proportionalFactor);
    adaptive.add(adaptiveFactor);
    super.fit(minibatch, predictions);
  }

  /** Only notes them: the model has none. */
  @Override
  public void scaleLearningRates(double ofProportional, double ofAdaptive) {
    proportionalFactor = ofProportional;
    adaptiveFactor = ofAdaptive;
  }
}
