package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;

/** How a request says what is to be predicted, and how it is answered. Thread-safe. */
interface Form {

  /**
   * Reads a request's body.
   *
   * @throws RefusedRequestException if it isn't a request for such a model
   */
  InferRequest read(ServedModel model, Body body) throws RefusedRequestException;

  /** Writes its answer. */
  Written write(InferRequest request, Answer answer);
}
