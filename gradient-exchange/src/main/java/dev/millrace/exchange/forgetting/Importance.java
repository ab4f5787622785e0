package dev.millrace.exchange.forgetting;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.io.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * How much each parameter matters for what was learned: the diagonal of the empirical Fisher
 * information, which is the mean of squared gradients. At each moment that a model is kept, what
 * was measured since the one before is added to a share of what was known: online elastic weight
 * consolidation (Schwarz et al. 2018).
 *
 * <p>Of a minibatch the square of the mean gradient counts by the number of its examples, which in
 * the mean is the square of each one's where they are independent.
 *
 * <p>Not thread-safe.
 */
final class Importance {

  private final int interval;
  private final double decay;
  private final float[] gradient;
  private float[] sum;
  private long measured;
  private int steps;
  private float[] knownOrNull;
  private double mean;

  /**
   * @param interval local steps from one measurement to the next
   * @param decay what is left of what was known
   */
  Importance(int parameters, int interval, double decay) {
    this.interval = interval;
    this.decay = decay;
    this.gradient = new float[parameters];
    this.sum = new float[parameters];
  }

  /** A local step has been made on these examples. */
  void stepped(ModelReplica model, Minibatch minibatch) {
    steps++;
    if (steps < interval) {
      return;
    }
    steps = 0;
    model.gradient(minibatch, gradient);
    if (isFinite(gradient)) {
      add(sum, gradient, minibatch.size());
      measured++;
    }
  }

  /** A model is kept: what was measured up to now is what matters for it. */
  void closePeriod() {
    if (measured == 0) {
      return;
    }
    float[] next = new float[sum.length];
    for (int i = 0; i < next.length; i++) {
      double before = knownOrNull == null ? 0 : decay * knownOrNull[i];
      next[i] = (float) (before + sum[i] / measured);
    }
    if (isFinite(next)) {
      know(next);
    }
    sum = new float[next.length];
    measured = 0;
  }

  private void know(float[] importance) {
    knownOrNull = importance;
    double total = 0;
    for (float value : importance) {
      total += value;
    }
    mean = total / importance.length;
  }

  /**
   * Returns the importance by parameter; null where nothing is known, and all matter the same.
   * Never to be changed.
   */
  float[] knownOrNull() {
    return mean > 0 ? knownOrNull : null;
  }

  /** The mean of what is known. */
  double mean() {
    return mean;
  }

  private static boolean isFinite(float[] values) {
    float nothing = 0;
    for (float value : values) {
      nothing += value * 0f;
    }
    return nothing == 0f;
  }

  private static void add(float[] sum, float[] gradient, int examples) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += examples * gradient[i] * gradient[i];
    }
  }

  /** Returns what {@link #restore} needs, in values that stay as they are. */
  Saved save() {
    return new Saved(steps, measured, measured == 0 ? new float[0] : sum.clone(), knownOrNull);
  }

  /** Continues from what was saved, of a model of as many parameters. */
  void restore(Saved saved) {
    steps = saved.steps;
    measured = saved.measured;
    sum = measured == 0 ? new float[sum.length] : saved.sum;
    if (saved.knownOrNull != null) {
      know(saved.knownOrNull);
    }
  }

  /** Takes over what another replica knows, and not what it is measuring. */
  void adopt(Saved saved) {
    if (saved.knownOrNull != null) {
      know(saved.knownOrNull);
    }
  }

  /** Holds what a checkpoint has of it. */
  @SuppressWarnings("ArrayRecordComponent") // It is handed on, never compared.
  record Saved(int steps, long measured, float[] sum, float[] knownOrNull) {

    void write(DataOutput out) throws IOException {
      out.writeInt(steps);
      out.writeLong(measured);
      BulkArrays.writeFloats(out, sum);
      OlderModel.writeOrNull(knownOrNull, out);
    }

    static Saved read(DataInput in) throws IOException {
      return new Saved(
          in.readInt(), in.readLong(), BulkArrays.readFloats(in), OlderModel.readOrNull(in));
    }
  }
}
