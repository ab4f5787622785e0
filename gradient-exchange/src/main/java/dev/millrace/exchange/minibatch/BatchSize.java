package dev.millrace.exchange.minibatch;

import java.io.Serializable;
import java.util.Locale;
import java.util.Optional;

/**
 * How many examples a step takes: as many of the whole job, whatever the number of its replicas, so
 * that a model learns alike with one and with many.
 *
 * @param ofJob examples that a step of all replicas takes together, for which the learning rate is
 *     meant
 * @param ofReplica examples of a replica's full minibatch; 0 where replicas share {@code ofJob} out
 * @param mostReaders how many replicas can have something to read at most: others take no share
 */
public record BatchSize(int ofJob, int ofReplica, int mostReaders) implements Serializable {

  /** Sharing out ends here: the smaller a minibatch, the longer an example takes. */
  public static final int LEAST_SHARE = 4;

  /** Times as many examples in a step as it is meant to take. */
  private static final double WORTH_A_WARNING = 4;

  /** The batch size where each replica has something to read. */
  public BatchSize(int ofJob, int ofReplica) {
    this(ofJob, ofReplica, Integer.MAX_VALUE);
  }

  /** Returns how many of so many replicas can have something to read. */
  public int readers(int replicas) {
    return Math.min(replicas, mostReaders);
  }

  /** Examples of a full minibatch of one among {@code replicas}. */
  public int local(int replicas) {
    if (ofReplica > 0) {
      return ofReplica;
    }
    int readers = readers(replicas);
    int share = (ofJob + readers - 1) / readers;
    return Math.max(share, Math.min(ofJob, LEAST_SHARE));
  }

  /** A replica's examples of a step, as a part of those of the job. */
  public double share(int replicas) {
    return (double) local(replicas) / ofJob;
  }

  /**
   * Warns the user where steps take so many examples that too few of them are made; otherwise
   * empty.
   */
  public Optional<String> warning(int replicas) {
    return excess(replicas) < WORTH_A_WARNING
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "A step of %d replicas takes %d examples, and learning rate and batch size are"
                    + " meant for %d: the model makes %.0f times fewer steps an example, and is"
                    + " likely to learn less from each. Train with fewer replicas, with smaller"
                    + " local minibatches, or for a batch size and learning rate of this scale",
                readers(replicas),
                readers(replicas) * local(replicas),
                ofJob,
                excess(replicas)));
  }

  /** Examples that the steps of all replicas take together, as a multiple of those of the job. */
  public double excess(int replicas) {
    return readers(replicas) * share(replicas);
  }
}
