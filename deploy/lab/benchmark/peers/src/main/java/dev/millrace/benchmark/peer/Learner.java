package dev.millrace.benchmark.peer;

/** One network that the calling thread teaches, over and over the same minibatches. */
@FunctionalInterface
public interface Learner extends AutoCloseable {

  /** Learns until the rounds' watcher ends it; may be called again, and goes on then. */
  void learn(Rounds rounds);

  @Override
  default void close() {}
}
