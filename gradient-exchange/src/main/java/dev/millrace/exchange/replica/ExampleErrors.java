package dev.millrace.exchange.replica;

import dev.millrace.exchange.steering.ErrorTrace;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;

/**
 * Tells how far the prediction of each example was off, where anybody looks at that: a bit where it
 * is right or wrong, and the root of the mean squared error for regression. Of several outputs it
 * is the first, as of measures.
 */
final class ExampleErrors {

  private final ExampleShape shape;
  private final boolean areTold;

  ExampleErrors(ExampleShape shape, boolean areTold) {
    this.shape = shape.measured();
    this.areTold = areTold;
  }

  /** The errors of no example. */
  ErrorTrace none() {
    return new ErrorTrace(shape.target() != Target.REGRESSION);
  }

  /** Adds those of a minibatch, in the order of its fresh rows. */
  void add(Minibatch minibatch, float[] predictions, ErrorTrace errors) {
    if (!areTold) {
      return;
    }
    int width = minibatch.shape().labels();
    for (int row = 0; row < minibatch.fresh(); row++) {
      errors.add(error(predictions, minibatch.labels(), row * width));
    }
  }

  private float error(float[] predictions, float[] labels, int at) {
    if (shape.target() == Target.REGRESSION) {
      return (float) Math.sqrt(Measures.loss(shape, predictions, labels, at));
    }
    return Measures.isCorrect(shape, predictions, labels, at) ? 0 : 1;
  }

  /** Adds what another replica, or this one before a restore, had to tell. */
  void absorb(ErrorTrace theirs, ErrorTrace errors) {
    if (areTold) {
      errors.addAll(theirs);
    }
  }
}
