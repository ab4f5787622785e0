package dev.millrace.exchange.flink;

import java.io.Serializable;

/**
 * Where tests make a task fail at a chosen place and step (as torchft's event injector does). The
 * job itself always runs with {@link #NONE}.
 */
public interface FaultInjector extends Serializable {

  /** Places that a fault can be injected at. */
  enum Place {
    /** A replica, before a local step. */
    LOCAL_STEP,
    /** A replica, between two blocks of a contribution. */
    CONTRIBUTION,
    /** A replica, before it takes in a global block. */
    FEEDBACK_IN,
    /** The coordinator, when a message has come. */
    COORDINATOR,
    /** The coordinator, between the decisions for two blocks. */
    DECISION,
    /** The coordinator, when all replicas have ended. */
    INPUT_END,
    /** The exchange, when a message for a block has come. */
    EXCHANGE,
    /** The feedback sink, before it hands a block or head over. */
    FEEDBACK_OUT,
    /** A gatherer, when a contribution or a round's order has come. */
    GATHERING,
    /** A scorer, before it predicts for a batch. */
    PREDICTION,
    /** A join, when a record has come. */
    JOIN,
    /** A join, when it stops waiting for a record. */
    JOIN_END
  }

  /** Does nothing. */
  FaultInjector NONE = (place, subtask) -> {};

  /**
   * Called each time a task comes to {@code place}.
   *
   * @throws RuntimeException to make the task fail there
   */
  void reach(Place place, int subtask);

  /**
   * Whether parts of a process hand models to each other in memory, as they always do in a job. A
   * test has them use Flink's network instead, as between processes.
   */
  default boolean handsOver() {
    return true;
  }
}
