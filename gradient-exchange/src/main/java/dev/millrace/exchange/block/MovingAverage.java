package dev.millrace.exchange.block;

import dev.millrace.model.io.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * An exponential moving average of a block's values over the rounds: {@code average += (1 -
 * 0.5^(examples / half-life)) (values - average)}, with the examples of each round (Polyak and
 * Juditsky 1992). It is counted in examples, so neither the number of replicas nor the size of
 * rounds changes what it means. Nothing is trained on it.
 *
 * <p><b>The start.</b> It starts as the values are, and its half-life is at most a tenth of the
 * examples so far (as in Karras et al. 2022, EDM, with a twentieth). A fixed half-life would keep
 * the random initial values in it for many half-lives. A correction of that bias, as Adam makes it,
 * would weigh the first rounds, in which a model is worst, like the newest.
 *
 * <p><b>Small steps.</b> A float has 24 bits, so little would be left of steps that are far smaller
 * than the values. The examples of rounds wait until they are a 1024th of the half-life, and the
 * average then follows the values of the newest round.
 *
 * <p>Deterministic, on every machine: {@link StrictMath}, and members in the order of replica
 * numbers. Not thread-safe.
 */
final class MovingAverage {

  /** The most that the half-life is, as a share of the examples so far. */
  private static final double EARLY = 0.1;

  /** A share of the half-life: fewer examples than this wait for the next round. */
  private static final double LEAST = 0x1p-10;

  private static final double LN_2 = StrictMath.log(2);

  private final float[] values;

  /** The examples since it began. */
  private double examples;

  /** The examples that it has yet to follow. */
  private double waiting;

  private MovingAverage(float[] values, double examples, double waiting) {
    this.values = values;
    this.examples = examples;
    this.waiting = waiting;
  }

  /** One that begins as the values are now. */
  static MovingAverage of(float[] values) {
    return new MovingAverage(values.clone(), 0, 0);
  }

  /**
   * A round has been made.
   *
   * @param newest the block's values, all finite
   * @param more examples behind the round, by their weights; above 0
   * @param halfLife in examples
   */
  void follow(float[] newest, double more, double halfLife) {
    examples += more;
    waiting += more;
    double current = Math.min(halfLife, EARLY * examples);
    if (waiting < LEAST * current) {
      return;
    }
    float step = (float) -StrictMath.expm1(-LN_2 * waiting / current);
    waiting = 0;
    for (int i = 0; i < values.length; i++) {
      values[i] += step * (newest[i] - values[i]);
    }
  }

  /** Returns one of other values, after as many examples. */
  MovingAverage with(float[] others) {
    return new MovingAverage(others, examples, waiting);
  }

  /** Live: the next round changes them in place. */
  float[] values() {
    return values;
  }

  /** Writes it; {@code null} where there is none. */
  static void write(MovingAverage averageOrNull, DataOutput out) throws IOException {
    out.writeBoolean(averageOrNull != null);
    if (averageOrNull != null) {
      BulkArrays.writeFloats(out, averageOrNull.values);
      out.writeDouble(averageOrNull.examples);
      out.writeDouble(averageOrNull.waiting);
    }
  }

  /** Reads what {@link #write} wrote. */
  static MovingAverage read(DataInput in) throws IOException {
    return in.readBoolean()
        ? new MovingAverage(BulkArrays.readFloats(in), in.readDouble(), in.readDouble())
        : null;
  }
}
