package dev.millrace.exchange.replica;

import dev.millrace.exchange.steering.ExampleSignals;

/**
 * What a replica's local steps are among those of the whole job.
 *
 * @param replicas how many learn together
 * @param ofStep examples that a step of the whole job takes
 * @param rates what its learning rates are multiplied by
 * @param tells what contributions tell of single examples
 */
public record JobShare(int replicas, int ofStep, RateFactors rates, ExampleSignals tells) {

  /** The share of a job that looks at no single example's error. */
  public JobShare(int replicas, int ofStep, RateFactors rates) {
    this(replicas, ofStep, rates, ExampleSignals.NOTHING);
  }

  public JobShare {
    if (replicas < 1 || ofStep < 1) {
      throw new IllegalArgumentException(
          "A job has at least one replica and one example a step, not %s and %s"
              .formatted(replicas, ofStep));
    }
  }
}
