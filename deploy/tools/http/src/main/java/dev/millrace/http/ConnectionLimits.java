package dev.millrace.http;

import java.time.Duration;
import java.util.Objects;

/**
 * What clients may take of a server's connections.
 *
 * @param most connections that are open at once
 * @param mostOfAddress most of them that one address has
 * @param headers from the first byte of a request, or from a connection's begin, until its headers
 *     are there
 * @param request from then until the client has the answer
 */
public record ConnectionLimits(int most, int mostOfAddress, Duration headers, Duration request) {

  public ConnectionLimits {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(request, "request");
    if (most < 1 || mostOfAddress < 1) {
      throw new IllegalArgumentException(
          "%s connections, %s of an address can't be the most".formatted(most, mostOfAddress));
    }
    if (headers.isNegative() || headers.isZero() || request.isNegative() || request.isZero()) {
      throw new IllegalArgumentException(
          "A time of %s for headers and of %s for a request can't be".formatted(headers, request));
    }
  }

  /** Limits of which one address may take half of the connections. */
  public static ConnectionLimits of(int most, Duration headers, Duration request) {
    return new ConnectionLimits(most, (most + 1) / 2, headers, request);
  }
}
