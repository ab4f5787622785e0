package dev.millrace.serve;

import java.util.Optional;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * What a server tells of itself: its health, and metrics. By itself it is what a port for health
 * alone answers.
 */
final class Vitals extends Handler.Abstract {

  static final String LIVE = "/v2/health/live";
  static final String READY = "/v2/health/ready";
  static final String METRICS = "/metrics";

  private final Readiness readiness;
  private final ServerMetrics metrics;

  Vitals(Readiness readiness, ServerMetrics metrics) {
    this.readiness = readiness;
    this.metrics = metrics;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Exchange exchange = new Exchange(request, response, callback, metrics);
    try {
      if (!answersHealth(exchange) && !answersMetrics(exchange)) {
        throw new RefusedRequestException(
            HttpStatus.NOT_FOUND_404,
            "There is nothing at %s; this port has %s, %s and %s"
                .formatted(Tokens.shorten(exchange.path()), LIVE, READY, METRICS));
      }
    } catch (RefusedRequestException e) {
      exchange.refuse(e.status(), e.getMessage());
    }
    return true;
  }

  /** Answers if its health is asked for. */
  boolean answersHealth(Exchange exchange) throws RefusedRequestException {
    boolean ready = exchange.path().equals(READY);
    if (!ready && !exchange.path().equals(LIVE)) {
      return false;
    }
    exchange.isOf(Api.HEALTH);
    if (isGet(exchange)) {
      if (ready) {
        readiness.requireReady(Optional.empty());
      }
      exchange.answer(
          Json.object(generator -> generator.writeBooleanField(ready ? "ready" : "live", true)));
    }
    return true;
  }

  /** Answers if metrics are asked for. */
  boolean answersMetrics(Exchange exchange) {
    if (!exchange.path().equals(METRICS)) {
      return false;
    }
    exchange.isOf(Api.METRICS);
    if (isGet(exchange)) {
      exchange.answer(HttpStatus.OK_200, ServerMetrics.CONTENT_TYPE, metrics.write());
    }
    return true;
  }

  /** Whether it asks for what is there; refuses what else it is. */
  static boolean isGet(Exchange exchange) {
    String method = exchange.request().getMethod();
    if (HttpMethod.GET.is(method) || HttpMethod.HEAD.is(method)) {
      return true;
    }
    exchange.refuseMethod("GET");
    return false;
  }
}
