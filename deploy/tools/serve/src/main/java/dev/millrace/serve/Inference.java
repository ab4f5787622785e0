package dev.millrace.serve;

import dev.millrace.job.serve.Limits;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request for predictions, from its headers to its answer. No thread waits meanwhile: not for the
 * body, and not for the predictors.
 *
 * <p>Thread-safe.
 */
final class Inference {

  private static final Logger LOG = LoggerFactory.getLogger(Inference.class);

  /** Bytes of a body that is read in less time than handing it to another thread is worth. */
  private static final int SMALL = 64 << 10;

  /** Values that are written in less time than waking another thread takes. */
  private static final int FEW = 256;

  /** What a body may be said to be: curl and others say the second where they are told nothing. */
  private static final Set<String> TYPES = Set.of(Api.JSON, "application/x-www-form-urlencoded");

  /** The header with the bytes of JSON, behind which stands binary data. */
  static final String JSON_LENGTH = "Inference-Header-Content-Length";

  static final String OCTETS = "application/octet-stream";

  private final Readiness readiness;
  private final Predictions predictions;
  private final Limits limits;
  private final BodyBudget bodies;
  private final ServerMetrics metrics;
  private final Executor readers;
  private final Executor executor;

  /**
   * @param readers read long bodies: not on Jetty's threads, which all other requests need
   * @param executor writes answers, but for short ones: the thread that has predicted writes these,
   *     since another takes longer to wake
   */
  Inference(
      Readiness readiness,
      Predictions predictions,
      Limits limits,
      BodyBudget bodies,
      ServerMetrics metrics,
      Executor readers,
      Executor executor) {
    this.readiness = readiness;
    this.predictions = predictions;
    this.limits = limits;
    this.bodies = bodies;
    this.metrics = metrics;
    this.readers = readers;
    this.executor = executor;
  }

  /**
   * Begins to answer.
   *
   * @param form of the request and its answer
   * @throws RefusedRequestException if its headers show already that it can't be answered
   */
  @SuppressWarnings("FutureReturnValueIgnored") // Each outcome of it answers the request.
  void begin(Exchange exchange, Form form, Optional<String> version)
      throws RefusedRequestException {
    Request request = exchange.request();
    requireJson(request);
    readiness.requireModel(version);
    new RequestBody(request, limits.maxBody(), bodies)
        .read(predictions.left(request.getBeginNanoTime()), executor)
        .whenComplete(
            (body, failure) -> {
              if (failure != null) {
                noBody(exchange, failure);
              } else if (body.length() <= SMALL) {
                predict(exchange, form, version, body);
              } else {
                readers.execute(() -> predict(exchange, form, version, body));
              }
            });
  }

  private static void requireJson(Request request) throws RefusedRequestException {
    String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    boolean binary = OCTETS.equals(type) && request.getHeaders().get(JSON_LENGTH) != null;
    String encoding = request.getHeaders().get(HttpHeader.CONTENT_ENCODING);
    if (type != null
        && !binary
        && !TYPES.contains(type.split(";", 2)[0].trim().toLowerCase(Locale.ROOT))) {
      throw new RefusedRequestException(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE_415,
          "Content-Type is \"%s\"; send application/json, or application/octet-stream with the header %s"
              .formatted(Tokens.shorten(type), JSON_LENGTH));
    }
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw new RefusedRequestException(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE_415,
          "Content-Encoding is \"%s\"; send the body as it is".formatted(Tokens.shorten(encoding)));
    }
  }

  private void noBody(Exchange exchange, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof RefusedRequestException refused) {
      exchange.refuse(refused.status(), refused.getMessage());
    } else if (cause instanceof Error) {
      fail(exchange, cause);
    } else if (cause instanceof HttpException refused) {
      exchange.refuse(refused.getCode(), JsonErrors.message(refused.getCode()));
    } else if (cause instanceof TimeoutException) {
      exchange.refuse(
          HttpStatus.REQUEST_TIMEOUT_408,
          "The body wasn't there within %s; send it at once".formatted(limits.timeout()));
    } else {
      // Most often nobody is there to be told any more.
      exchange.refuse(
          HttpStatus.BAD_REQUEST_400, "The body ended before its length; send all of it");
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Each outcome of it answers the request.
  private void predict(Exchange exchange, Form form, Optional<String> version, RequestBody body) {
    try {
      InferRequest request = read(exchange, form, version, body);
      predictions
          .predict(request, exchange.request().getBeginNanoTime())
          .whenComplete(
              (answer, failure) -> {
                if (failure == null && answer.outputs().length <= FEW) {
                  end(exchange, form, version, request, answer, null);
                } else {
                  executor.execute(() -> end(exchange, form, version, request, answer, failure));
                }
              });
    } catch (RefusedRequestException e) {
      exchange.refuse(e.status(), e.getMessage());
    } catch (RuntimeException | Error e) {
      fail(exchange, e);
    }
  }

  private InferRequest read(
      Exchange exchange, Form form, Optional<String> version, RequestBody body)
      throws RefusedRequestException {
    try {
      String jsonLength = exchange.request().getHeaders().get(JSON_LENGTH);
      return form.read(readiness.requireModel(version), body.body(jsonLength));
    } finally {
      body.release();
    }
  }

  private void end(
      Exchange exchange,
      Form form,
      Optional<String> version,
      InferRequest request,
      Answer answer,
      Throwable failure) {
    try {
      metrics.took(Duration.ofNanos(System.nanoTime() - exchange.request().getBeginNanoTime()));
      if (failure instanceof RefusedRequestException refused) {
        exchange.refuse(refused.status(), refused.getMessage());
      } else if (failure instanceof TimeoutException) {
        throw predictions.late();
      } else if (failure != null) {
        fail(exchange, failure);
      } else {
        // It was served when the request came; another may have predicted since.
        Readiness.requireVersion(answer.model(), version);
        exchange.answer(form.write(request, answer), answer.model().version());
      }
    } catch (RefusedRequestException e) {
      exchange.refuse(e.status(), e.getMessage());
    } catch (RuntimeException | Error e) {
      fail(exchange, e);
    }
  }

  private static void fail(Exchange exchange, Throwable cause) {
    LOG.error("A request failed", cause);
    exchange.refuse(HttpStatus.INTERNAL_SERVER_ERROR_500, "The server failed; its log says why");
  }
}
