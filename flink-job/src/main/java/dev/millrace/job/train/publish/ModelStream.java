package dev.millrace.job.train.publish;

import dev.millrace.model.GlobalModel;
import java.io.Serializable;
import java.time.Duration;

/**
 * Carries on what is learned between two whole models. No call waits; what goes wrong is logged,
 * and keeps nothing else from going on.
 */
public interface ModelStream {

  /** Opens the stream where models are published. */
  interface Factory extends Serializable {

    /** Least time between two models that it is told of. */
    Duration interval();

    ModelStream open();
  }

  /** A whole model is published. Called on the publisher's thread. */
  void published(GlobalModel whole);

  /** A newer model is made. Called on the task's thread. */
  void made(GlobalModel newest);

  /**
   * Ends it, and waits until what is under way is written.
   *
   * @throws InterruptedException if this thread is asked to end meanwhile
   */
  void end() throws InterruptedException;
}
