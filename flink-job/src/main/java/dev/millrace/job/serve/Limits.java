package dev.millrace.job.serve;

import java.time.Duration;
import java.util.Objects;

/**
 * What one client may ask for.
 *
 * @param maxBody most bytes of a request's body
 * @param maxRows most rows of a request
 * @param timeout from a request's first byte to its answer; also what its headers may take, up to
 *     10 s, and what a client may take to read the answer
 * @param maxConnections most that are open at once, half of them of one address; for a further one
 *     that is closed which has waited longest
 * @param drain how long a server that was asked to stop still takes requests, being not ready
 */
public record Limits(
    long maxBody, int maxRows, Duration timeout, int maxConnections, Duration drain) {

  public Limits {
    Objects.requireNonNull(timeout, "timeout");
    Objects.requireNonNull(drain, "drain");
    if (maxBody < 1 || maxRows < 1 || maxConnections < 1) {
      throw new IllegalArgumentException(
          "A body of %s bytes, %s rows and %s connections can't be the most"
              .formatted(maxBody, maxRows, maxConnections));
    }
    if (timeout.isNegative() || timeout.isZero() || drain.isNegative()) {
      throw new IllegalArgumentException(
          "A timeout of %s and a drain of %s can't be".formatted(timeout, drain));
    }
  }
}
