package dev.millrace.exchange.aggregate;

/** Adam; its state is both moments, one after the other, and the number of rounds. */
record AdamStep(double rate, double beta1, double beta2, double epsilon)
    implements ServerOptimizer {

  @Override
  public StateShape stateShape() {
    return new StateShape(2, true);
  }

  @Override
  public void apply(float[] values, float[] change, int length, double size, float[] state) {
    if (length == 0) {
      return;
    }
    // A float counts to 16 million; both corrections are 1 long before.
    state[2 * length] += (float) size;
    float rounds = state[2 * length];
    float correction1 = (float) (1 / (1 - Math.pow(beta1, rounds)));
    float correction2 = (float) (1 / (1 - Math.pow(beta2, rounds)));
    float keep1 = (float) Math.pow(beta1, size);
    float keep2 = (float) Math.pow(beta2, size);
    // What a whole round would have changed: Adam's steps don't depend on how much that is, so a
    // part of a round makes a part of a step.
    float whole = (float) (1 / size);
    float step = (float) (rate * size);
    float least = (float) epsilon;
    for (int i = 0; i < length; i++) {
      float changed = whole * change[i];
      float first = keep1 * state[i] + (1 - keep1) * changed;
      // Infinite, it would stay so, and stop the value for good.
      float second =
          Math.min(Float.MAX_VALUE, keep2 * state[length + i] + (1 - keep2) * changed * changed);
      state[i] = first;
      state[length + i] = second;
      values[i] += step * first * correction1 / ((float) Math.sqrt(second * correction2) + least);
    }
  }
}
