package dev.millrace.exchange.replica;

import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;

/**
 * Makes local steps, and enters what was learned with them. Nothing is allocated per example.
 *
 * <p>Belongs to the thread of its {@link ModelReplica}.
 */
final class LocalSteps {

  private static final float[] NONE = new float[0];

  private final ReplicaParts replica;
  private float[] predictions = NONE;

  LocalSteps(ReplicaParts replica) {
    this.replica = replica;
  }

  /**
   * One local step. Standardizes the minibatch's features in place.
   *
   * @return how the minibatch was predicted before it was learned from
   * @throws dev.millrace.model.UnusableExamplesException if the model can't compute with it
   */
  Measures make(Minibatch minibatch) {
    long start = replica.clock().now();
    PendingContribution progress = replica.progress();
    if (progress.steps() == 0) {
      replica.contributions().begin(replica.vector().oldestRound());
    }
    if (replica.standardizer().isOn()) {
      progress.look(minibatch);
      replica.standardizer().apply(minibatch, progress.statistics());
    }
    replica.vector().touch();
    replica.model().fit(minibatch, roomFor(minibatch));
    Measures measures =
        Measures.of(minibatch.shape(), predictions, minibatch.labels(), minibatch.size());
    progress.learned(minibatch, measures);
    replica.clock().fitted(start);
    return measures;
  }

  private float[] roomFor(Minibatch minibatch) {
    int needed = minibatch.capacity() * minibatch.shape().outputs();
    if (predictions.length < needed) {
      predictions = new float[needed];
    }
    return predictions;
  }
}
