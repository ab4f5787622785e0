package dev.millrace.exchange.replica;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.UnusableExamplesException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Takes out of a minibatch what a network can't compute with, and nothing else: each example is
 * tried by itself. That takes a prediction an example, and only where a step has failed.
 */
public final class UnusableExamples {

  /** Is told of each example that is taken out. */
  @FunctionalInterface
  public interface Handler {

    /** {@code reason} is for people: what the network said, and what to do. */
    void reject(Partition partition, long offset, String reason);
  }

  private UnusableExamples() {}

  /**
   * Takes them out; all of them, where each by itself would do. Nobody is told of replayed ones,
   * whose records were learned before.
   *
   * @param cause what the step failed with
   */
  static void takeOut(
      ModelReplica model, Minibatch minibatch, UnusableExamplesException cause, Handler handler) {
    int width = minibatch.shape().features();
    float[] prediction = new float[minibatch.shape().labels()];
    BitSet unusable = new BitSet();
    String[] reasons = new String[minibatch.size()];
    for (int row = 0; row < minibatch.size(); row++) {
      float[] features = Arrays.copyOfRange(minibatch.features(), row * width, (row + 1) * width);
      try {
        model.predict(features, new int[] {minibatch.steps(row)}, 1, prediction);
      } catch (UnusableExamplesException e) {
        unusable.set(row);
        reasons[row] = e.getMessage();
      }
    }
    if (unusable.isEmpty()) {
      unusable.set(0, minibatch.size());
      Arrays.fill(reasons, cause.getMessage());
    }
    unusable.stream()
        .limit(unusable.get(0, minibatch.fresh()).cardinality())
        .forEach(
            row ->
                handler.reject(minibatch.partition(row), minibatch.offset(row), say(reasons[row])));
    minibatch.remove(unusable);
  }

  private static String say(String reason) {
    return ("the network can't compute with it: %s. Have features hold what its layers take, such as"
            + " ids from 0 to below an embedding's nIn")
        .formatted(reason);
  }
}
