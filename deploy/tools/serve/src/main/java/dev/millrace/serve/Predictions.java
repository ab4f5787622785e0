package dev.millrace.serve;

import dev.millrace.job.serve.Limits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Has requests predicted within the time that they have, whichever way they came.
 *
 * <p>Thread-safe.
 */
final class Predictions {

  private final Predictors predictors;
  private final Duration timeout;

  Predictions(Predictors predictors, Limits limits) {
    this.predictors = predictors;
    this.timeout = limits.timeout();
  }

  /**
   * Has a request predicted.
   *
   * @param begun when its first byte came, as {@link System#nanoTime}
   * @return completes with a {@link java.util.concurrent.TimeoutException} where there is no answer
   *     in time; whoever completes it himself has it left out
   */
  CompletableFuture<Answer> predict(InferRequest request, long begun)
      throws RefusedRequestException {
    if (left(begun) <= 1) {
      throw late();
    }
    Pending pending = new Pending(request, System.nanoTime());
    if (!predictors.offer(pending)) {
      throw new RefusedRequestException(
          HttpStatus.SERVICE_UNAVAILABLE_503,
          "Too many rows wait to be predicted already (%s); ask again later"
              .formatted(predictors.waitingRows()));
    }
    return pending.answer().orTimeout(left(begun), TimeUnit.NANOSECONDS);
  }

  /** Returns what is left of a request's time, in nanoseconds; at least one. */
  long left(long begun) {
    return Math.max(1, timeout.toNanos() - (System.nanoTime() - begun));
  }

  RefusedRequestException late() {
    return new RefusedRequestException(
        HttpStatus.GATEWAY_TIMEOUT_504,
        "No prediction within %s; send fewer rows at once, or ask again later".formatted(timeout));
  }
}
