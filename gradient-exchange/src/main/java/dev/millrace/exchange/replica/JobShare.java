package dev.millrace.exchange.replica;

import dev.millrace.exchange.forgetting.Attraction;

/**
 * What a replica's local steps are among those of the whole job.
 *
 * @param replicas how many learn together
 * @param ofStep examples that a step of the whole job takes
 * @param rates what its learning rates are multiplied by
 * @param tellsErrors whether contributions tell the error of each example
 * @param attraction the older model that all of them stay near
 */
public record JobShare(
    int replicas, int ofStep, RateFactors rates, boolean tellsErrors, Attraction attraction) {

  /** Of a job whose replicas stay near no older model. */
  public JobShare(int replicas, int ofStep, RateFactors rates, boolean tellsErrors) {
    this(replicas, ofStep, rates, tellsErrors, Attraction.NONE);
  }

  /** Of a job that looks at no single example's error. */
  public JobShare(int replicas, int ofStep, RateFactors rates) {
    this(replicas, ofStep, rates, false);
  }

  public JobShare {
    if (replicas < 1 || ofStep < 1) {
      throw new IllegalArgumentException(
          "A job has at least one replica and one example a step, not %d and %d"
              .formatted(replicas, ofStep));
    }
  }
}
