package dev.millrace.benchmark.peer;

/** Watches a {@link Training} between its rounds, when nothing is half learned. */
@FunctionalInterface
public interface Rounds {

  /**
   * Called by the thread that leads the training, before the first round and after each: while it
   * runs, nothing is learned.
   *
   * @param learned examples, over all workers, since the training began
   * @return whether to go on; after {@code false} it is not called again
   */
  boolean goOn(long learned);
}
