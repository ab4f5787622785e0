package dev.millrace.exchange.aggregate;

/** Nesterov momentum; its state is the velocity. */
record NesterovStep(float rate, float momentum) implements ServerOptimizer {

  @Override
  public StateShape stateShape() {
    return new StateShape(1, false);
  }

  @Override
  public void apply(float[] values, float[] change, int length, double size, float[] state) {
    // Velocity decays, and moves values, in proportion to the time that goes by.
    float keep = (float) Math.pow(momentum, size);
    float push = (float) (momentum * size);
    for (int i = 0; i < length; i++) {
      float velocity = keep * state[i] + change[i];
      state[i] = velocity;
      values[i] += rate * (change[i] + push * velocity);
    }
  }
}
