package dev.millrace.exchange.round;

import dev.millrace.model.Measures;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Lowers a factor each time that the prequential loss has not fallen for a number of examples.
 *
 * <p>Not thread-safe.
 */
final class Plateau {

  /** By which share of itself a loss must be lower to be better. */
  private static final double BETTER = 1e-3;

  private double factor = 1;
  private double best = Double.POSITIVE_INFINITY;
  private long bestAt;

  /** Examples of the whole job up to which recent losses are those of before. */
  private long lookFrom;

  double factor() {
    return factor;
  }

  /** Looks at the newest loss. */
  void observe(RateCourse course, Measures recent, long examples) {
    if (recent.examples() < course.window() || examples < lookFrom) {
      bestAt = examples;
      return;
    }
    double loss = recent.meanLoss();
    if (loss < best * (1 - BETTER) || best == Double.POSITIVE_INFINITY) {
      best = loss;
      bestAt = examples;
    } else if (examples - bestAt >= course.patience()) {
      factor = Math.max(course.least(), factor * course.factor());
      bestAt = examples;
    }
  }

  /** What was reached is of no use any more, nor are losses of before. */
  void startAnew(RateCourse course, long examples) {
    factor = 1;
    lookFrom = examples + course.window();
    best = Double.POSITIVE_INFINITY;
    bestAt = examples;
  }

  void write(DataOutput out) throws IOException {
    out.writeDouble(factor);
    out.writeDouble(best);
    out.writeLong(bestAt);
    out.writeLong(lookFrom);
  }

  void read(DataInput in) throws IOException {
    factor = in.readDouble();
    best = in.readDouble();
    bestAt = in.readLong();
    lookFrom = in.readLong();
  }
}
