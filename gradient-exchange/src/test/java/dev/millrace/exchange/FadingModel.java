package dev.millrace.exchange;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;

/**
 * A model that another one computes for, and whose parameters shrink after each step, large ones
 * more than small ones: so averages of several aren't what one would be that learns from all.
 */
final class FadingModel extends ForwardingModel {

  private final float[] parameters;

  FadingModel(ModelReplica model) {
    super(model);
    this.parameters = new float[model.spec().parameters()];
  }

  @Override
  public void fit(Minibatch minibatch, float[] predictions) {
    super.fit(minibatch, predictions);
    read(0, parameters, 0, parameters.length);
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] /= 1 + Math.abs(parameters[i]) / 100;
    }
    write(0, parameters, 0, parameters.length);
  }
}
