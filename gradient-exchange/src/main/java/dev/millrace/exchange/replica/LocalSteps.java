package dev.millrace.exchange.replica;

import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.UnusableExamplesException;
import java.util.function.Supplier;

/**
 * Makes local steps, and enters what was learned with them. Nothing is allocated per example.
 *
 * <p>Belongs to the thread of its {@link ModelReplica}.
 */
final class LocalSteps {

  private static final float[] NONE = new float[0];

  private final ReplicaParts replica;
  private final Supplier<float[]> globalParameters;
  private final int fragments;
  private float[] predictions = NONE;
  private float[] gradients = NONE;

  /** {@code fragments} are the parts in which the model is exchanged. */
  LocalSteps(ReplicaParts replica, int fragments) {
    this.fragments = fragments;
    this.replica = replica;
    this.globalParameters = replica.vector()::globalParameters;
  }

  /**
   * One local step, unless no fresh example is left for it. Standardizes the minibatch's features
   * in place, lets hooks add rows, and takes out what the model can't compute with.
   *
   * @param unusable is told of what is taken out, which is in the ledger then
   * @return how the minibatch was predicted before it was learned from
   */
  Measures make(Minibatch minibatch, UnusableExamples.Handler unusable) {
    long start = replica.clock().now();
    PendingContribution progress = replica.progress();
    if (progress.steps() == 0) {
      replica.contributions().begin(replica.vector().rounds().newest(fragments));
    }
    progress.came(minibatch);
    replica.hooks().beforeStep(minibatch, globalParameters);
    if (replica.standardizer().isOn()) {
      replica.standardizer().apply(minibatch, progress.statistics(), progress.words());
    }
    replica.vector().touch();
    replica.job().prepare(replica.model());
    fit(minibatch, unusable);
    if (minibatch.fresh() == 0) {
      return Measures.NONE;
    }
    if (replica.hooks().useInputGradients()) {
      replica.hooks().takeGradients(minibatch, gradients);
    }
    replica.hooks().afterStep(minibatch, predictions);
    Measures measures = progress.learned(minibatch, predictions);
    replica.job().learned(minibatch.fresh());
    replica.clock().fitted(start, minibatch.oldestTime());
    return measures;
  }

  private void fit(Minibatch minibatch, UnusableExamples.Handler unusable) {
    try {
      predictions = room(predictions, minibatch, minibatch.shape().labels());
      if (replica.hooks().useInputGradients()) {
        gradients = room(gradients, minibatch, minibatch.shape().features());
        replica.model().fit(minibatch, predictions, gradients);
      } else {
        replica.model().fit(minibatch, predictions);
      }
    } catch (UnusableExamplesException e) {
      Ledger ledger = replica.progress().ledger();
      UnusableExamples.takeOut(
          replica.model(),
          minibatch,
          e,
          (partition, offset, reason) -> {
            ledger.rejected(partition, offset);
            unusable.reject(partition, offset, reason);
          });
      if (minibatch.fresh() > 0) {
        fit(minibatch, unusable);
      }
    }
  }

  private static float[] room(float[] before, Minibatch minibatch, int each) {
    int needed = minibatch.capacity() * each;
    return before.length < needed ? new float[needed] : before;
  }
}
