package dev.millrace.exchange;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;

/**
 * A model that predicts what it learns from, before it does, and whose first parameter grows by the
 * learning rates' factor in each step besides.
 */
final class PredictingModel extends ForwardingModel {

  private float factor = 1;

  PredictingModel(ModelReplica model) {
    super(model);
  }

  @Override
  public void fit(Minibatch minibatch, float[] predictions) {
    predict(minibatch.features(), minibatch.size(), predictions);
    super.fit(minibatch, predictions);
    float[] first = new float[1];
    read(0, first, 0, 1);
    first[0] += factor;
    write(0, first, 0, 1);
  }

  @Override
  public void scaleLearningRates(double proportional, double adaptive) {
    factor = (float) proportional;
  }
}
