package dev.millrace.exchange.publication;

import java.io.Serializable;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which models go to the publisher, and what for.
 *
 * @param measureEvery rounds between models to measure; 0 for none
 * @param releaseEvery rounds between models to release; 0 for no such count
 * @param releaseInterval time between models to release; zero for no such time
 * @param updateInterval time between models that updates are made of; zero for none
 * @param checkpoints whether the model of each checkpoint goes there: it is the last of a job that
 *     is stopped, or on which no records come
 */
public record PublicationPlan(
    long measureEvery,
    long releaseEvery,
    Duration releaseInterval,
    Duration updateInterval,
    boolean checkpoints)
    implements Serializable {

  /** Where nobody wants a model. */
  public static final PublicationPlan NOTHING = new PublicationPlan(0, 0, Duration.ZERO, false);

  /** A plan without updates. */
  public PublicationPlan(
      long measureEvery, long releaseEvery, Duration releaseInterval, boolean checkpoints) {
    this(measureEvery, releaseEvery, releaseInterval, Duration.ZERO, checkpoints);
  }

  /**
   * Returns what the model of a round is wanted for; empty if for nothing.
   *
   * @param sinceRelease time since a model was last to be released, or since the start
   * @param sinceUpdate time since a model was last wanted for an update, or since the start
   */
  public Set<Purpose> of(long round, Duration sinceRelease, Duration sinceUpdate) {
    Set<Purpose> purposes = EnumSet.noneOf(Purpose.class);
    if (measureEvery > 0 && round % measureEvery == 0) {
      purposes.add(Purpose.MEASURE);
    }
    boolean counted = releaseEvery > 0 && round % releaseEvery == 0;
    if (counted || isTime(sinceRelease)) {
      purposes.add(Purpose.RELEASE);
    }
    if (!updateInterval.isZero() && sinceUpdate.compareTo(updateInterval) >= 0) {
      purposes.add(Purpose.UPDATE);
    }
    return purposes;
  }

  /** Whether a model is to be released so long after the last. */
  boolean isTime(Duration sinceRelease) {
    return !releaseInterval.isZero() && sinceRelease.compareTo(releaseInterval) >= 0;
  }
}
