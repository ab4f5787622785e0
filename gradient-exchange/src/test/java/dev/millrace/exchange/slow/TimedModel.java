package dev.millrace.exchange.slow;

import dev.millrace.exchange.ForwardingModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;

/** A model whose steps take time on a clock of its own. */
final class TimedModel extends ForwardingModel {

  private final Runnable step;

  /** {@code step} moves the clock. */
  TimedModel(ModelReplica model, Runnable step) {
    super(model);
    this.step = step;
  }

  @Override
  public void fit(Minibatch minibatch, float[] predictions) {
    super.fit(minibatch, predictions);
    step.run();
  }
}
