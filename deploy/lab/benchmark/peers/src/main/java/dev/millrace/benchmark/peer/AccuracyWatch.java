package dev.millrace.benchmark.peer;

import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/** Evaluates after every chunk of examples, with the clock stopped, until a target is reached. */
final class AccuracyWatch implements Rounds {

  private final long chunk;
  private final long most;
  private final double target;
  private final DoubleSupplier evaluation;
  private final LongSupplier nanos;

  private long since;
  private Duration spent = Duration.ZERO;
  private long nextEvaluation;
  private Accuracy result;

  /**
   * @param chunk examples from one evaluation to the next
   * @param most examples after which it gives up, rounded up to a whole chunk
   * @param target accuracy, 0 to 1
   * @param evaluation gives the accuracy of the network as it is
   * @param nanos the clock, as {@link System#nanoTime} is one
   */
  AccuracyWatch(
      long chunk, long most, double target, DoubleSupplier evaluation, LongSupplier nanos) {
    this.chunk = chunk;
    this.most = most;
    this.target = target;
    this.evaluation = evaluation;
    this.nanos = nanos;
    this.nextEvaluation = chunk;
  }

  @Override
  public boolean goOn(long learned) {
    if (learned == 0) {
      since = nanos.getAsLong();
      return true;
    }
    if (learned < nextEvaluation) {
      return true;
    }
    spent = spent.plusNanos(nanos.getAsLong() - since);
    double accuracy = evaluation.getAsDouble();
    boolean reached = accuracy >= target;
    if (reached || learned >= most) {
      result = new Accuracy(reached ? Optional.of(spent) : Optional.empty(), learned, accuracy);
      return false;
    }
    nextEvaluation = learned + chunk;
    since = nanos.getAsLong();
    return true;
  }

  /**
   * Returns what came out.
   *
   * @throws IllegalStateException if the training was ended by something else
   */
  Accuracy result() {
    if (result == null) {
      throw new IllegalStateException("The training ended before its last evaluation");
    }
    return result;
  }
}
