package dev.millrace.exchange.hook;

import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.Minibatch;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Helps one replica learn, as replay does. The replica tells it what happens, in this order: {@link
 * #begin} or a restored {@link #state}, heads, and around each local step {@link #beforeStep} and
 * {@link #afterStep}.
 *
 * <p>Belongs to the replica's thread. What it does follows from its seed, its state and what it is
 * told, so that a restart changes no bit of the model.
 */
public interface ReplicaHook {

  /** A new job starts from this vector, which the hook must not change. */
  default void begin(float[] vector) {}

  /** The head of a round has come. */
  default void accept(RoundHead head) {}

  /** A message has come from the hook's own part of the job. */
  default void accept(HookMessage message) {}

  /**
   * Asks for what a step on a minibatch needs, unless that is done. Minibatches come in the order
   * in which they are learned, each any number of times.
   *
   * <p>The hook may add rows behind the fresh ones, as many as its {@link
   * ReplicaHookFactory#mostRows} says: hooks behind it see them. Once it has, they stay until
   * {@link #beforeStep} or {@link #refused}.
   *
   * @param minibatch that takes no more fresh rows, and isn't learned yet; its features are as they
   *     came, not standardized
   * @return whether all of it is there
   */
  default boolean isReady(Minibatch minibatch) {
    return true;
  }

  /**
   * A local step is next. Where nobody asked {@link #isReady} before, the hook may add its rows
   * now.
   *
   * @param minibatch whose features are as they came, not standardized
   * @param global gives the parameters of the global model that the replica knows, which never
   *     change; it copies them, so it is asked when they are needed
   */
  default void beforeStep(Minibatch minibatch, Supplier<float[]> global) {}

  /**
   * The step is made, and any hook {@linkplain ReplicaHookFactory#usesInputGradients asks} for the
   * gradients of features. {@link #afterStep} follows.
   *
   * @param gradients of the features, row-major; valid during the call
   */
  default void takeGradients(Minibatch minibatch, float[] gradients) {}

  /**
   * The step is made. Rows that the model can't compute with have been taken out.
   *
   * @param predictions of the minibatch's rows, before they were learned; valid during the call
   */
  default void afterStep(Minibatch minibatch, float[] predictions) {}

  /** Notes that all that was learned up to here is contributed: it is sound. */
  default void contributed() {}

  /**
   * Notes that what was learned since the last contribution is refused, and gone. Minibatches that
   * wait are asked about again.
   */
  default void refused() {}

  /** Notes that the input has ended, and all that was learned is contributed: no step follows. */
  default void ended() {}

  /** Returns what checkpoints keep of it; empty where there is nothing to keep. */
  default Optional<HookState> state() {
    return Optional.empty();
  }

  /** Returns metrics by their names. They are read by any thread. */
  default Map<String, LongSupplier> gauges() {
    return Map.of();
  }
}
