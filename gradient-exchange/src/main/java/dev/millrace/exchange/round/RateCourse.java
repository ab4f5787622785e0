package dev.millrace.exchange.round;

import java.io.Serializable;
import java.util.Locale;

/**
 * How learning rates go on for as long as training does, beside the model's own schedule. Numbers
 * of examples are those of the whole job.
 *
 * @param kind after the warm-up
 * @param warmUp examples in which the rate rises from nearly 0 in proportion; 0 for none
 * @param period of {@code CYCLE}: examples from one low to the next
 * @param least the lowest factor, of {@code CYCLE} and {@code PLATEAU}
 * @param factor of {@code PLATEAU}: what the rate is multiplied by when the loss stays
 * @param patience of {@code PLATEAU}: examples without a better prequential loss after which it is
 * @param window examples that the loss is of; before, it isn't looked at
 */
public record RateCourse(
    Kind kind, long warmUp, long period, double least, double factor, long patience, long window)
    implements Serializable {

  /** The rate stays as it is configured. */
  public static final RateCourse NONE = new RateCourse(Kind.CONSTANT, 0, 1, 1, 1, 1, 1);

  /** How it goes on. */
  public enum Kind {
    CONSTANT,
    /** Between its lowest and itself in straight lines, up and down (Smith 2017, triangular). */
    CYCLE,
    /** Down when the loss no longer falls, and back to itself when a drift is found. */
    PLATEAU;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What follows from the examples alone. */
  double at(long examples) {
    double factorOfWarmUp =
        examples >= warmUp ? 1 : Math.max(1, examples) / (double) Math.max(1, warmUp);
    if (kind != Kind.CYCLE) {
      return factorOfWarmUp;
    }
    double phase = examples % period / (double) period;
    return factorOfWarmUp * (least + (1 - least) * (1 - Math.abs(2 * phase - 1)));
  }
}
