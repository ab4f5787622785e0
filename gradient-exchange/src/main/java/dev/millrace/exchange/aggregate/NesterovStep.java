package dev.millrace.exchange.aggregate;

/** Nesterov momentum; its state is the velocity. */
record NesterovStep(float rate, float momentum) implements ServerOptimizer {

  @Override
  public StateShape stateShape() {
    return new StateShape(1, false);
  }

  @Override
  public void apply(float[] values, float[] change, int length, float[] state) {
    for (int i = 0; i < length; i++) {
      float velocity = momentum * state[i] + change[i];
      state[i] = velocity;
      values[i] += rate * (change[i] + momentum * velocity);
    }
  }
}
