package dev.millrace.exchange.replica;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.UnusableRows;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

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
    float[] predictions = new float[minibatch.size() * minibatch.shape().labels()];
    SortedMap<Integer, String> unusable =
        new TreeMap<>(
            UnusableRows.find(
                model,
                minibatch.features(),
                minibatch.stepsOrNull(),
                minibatch.size(),
                predictions));
    if (unusable.isEmpty()) {
      IntStream.range(0, minibatch.size())
          .forEach(row -> unusable.put(row, UnusableRows.say(cause)));
    }
    unusable
        .headMap(minibatch.fresh())
        .forEach(
            (row, reason) ->
                handler.reject(minibatch.partition(row), minibatch.offset(row), reason));
    BitSet rows = new BitSet();
    unusable.keySet().forEach(rows::set);
    minibatch.remove(rows);
  }
}
