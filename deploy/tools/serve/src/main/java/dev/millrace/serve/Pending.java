package dev.millrace.serve;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A request that waits for its answer. The answer completes exceptionally with a {@link
 * RefusedRequestException} where the model can't compute with a row, and with another exception
 * where predicting failed.
 */
final class Pending {

  private final InferRequest request;
  private final long since;
  private final CompletableFuture<Answer> answer = new CompletableFuture<>();

  /**
   * @param since when it began to wait, as {@link System#nanoTime}
   */
  Pending(InferRequest request, long since) {
    this.request = Objects.requireNonNull(request, "request");
    this.since = since;
  }

  InferRequest request() {
    return request;
  }

  int rows() {
    return request.rows();
  }

  long since() {
    return since;
  }

  CompletableFuture<Answer> answer() {
    return answer;
  }

  /** Whether nobody waits any more. */
  boolean isDone() {
    return answer.isDone();
  }
}
