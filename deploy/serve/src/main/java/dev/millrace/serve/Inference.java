package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.serve.Limits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
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

  /** The size of bodies is looked at where they are read. */
  private static final int UNLIMITED = -1;

  private final AnswerWriter writer;
  private final Predictors predictors;
  private final Limits limits;
  private final ServerMetrics metrics;
  private final Executor executor;

  /**
   * @param name that clients call the model by
   * @param executor writes answers
   */
  Inference(
      String name, Predictors predictors, Limits limits, ServerMetrics metrics, Executor executor) {
    this.writer = new AnswerWriter(name);
    this.predictors = predictors;
    this.limits = limits;
    this.metrics = metrics;
    this.executor = executor;
  }

  /**
   * The model that is served.
   *
   * @param version that it has to be, if one is asked for
   * @throws RefusedRequestException if there is none yet, or another
   */
  ServedModel requireModel(Optional<String> version) throws RefusedRequestException {
    ServedModel model =
        predictors
            .newest()
            .orElseThrow(
                () ->
                    new RefusedRequestException(
                        HttpStatus.SERVICE_UNAVAILABLE_503,
                        "There is no model yet; ask again when one is published"));
    requireVersion(model, version);
    return model;
  }

  private static void requireVersion(ServedModel model, Optional<String> version)
      throws RefusedRequestException {
    if (version.isPresent() && !version.get().equals(model.version().toString())) {
      throw new RefusedRequestException(
          HttpStatus.NOT_FOUND_404,
          "Version \"%s\" isn't served; the one that is served is %s"
              .formatted(Tokens.shorten(version.get()), model.version()));
    }
  }

  /**
   * Begins to answer.
   *
   * @throws RefusedRequestException if its headers show already that it can't be answered
   */
  @SuppressWarnings("FutureReturnValueIgnored") // Each outcome of it answers the request.
  void begin(Exchange exchange, Optional<String> version) throws RefusedRequestException {
    Request request = exchange.request();
    requireJson(request);
    requireModel(version);
    CompletableFuture<byte[]> whole = new CompletableFuture<>();
    // Whichever thread brings the last bytes reads them: it is one that may be kept busy.
    Content.Source.asByteArrayAsync(
        request,
        UNLIMITED,
        Promise.Invocable.from(
            InvocationType.BLOCKING, whole::complete, whole::completeExceptionally));
    whole
        .orTimeout(left(request), TimeUnit.NANOSECONDS)
        .whenComplete(
            (body, failure) -> {
              if (failure == null) {
                predict(exchange, version, body);
              } else {
                noBody(exchange, failure);
              }
            });
  }

  private static void requireJson(Request request) throws RefusedRequestException {
    String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    String encoding = request.getHeaders().get(HttpHeader.CONTENT_ENCODING);
    if (type != null && !type.split(";", 2)[0].trim().equalsIgnoreCase(Api.JSON)) {
      throw new RefusedRequestException(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE_415,
          "Content-Type is \"%s\"; send application/json, with tensors as JSON"
              .formatted(Tokens.shorten(type)));
    }
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw new RefusedRequestException(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE_415,
          "Content-Encoding is \"%s\"; send the body as it is".formatted(Tokens.shorten(encoding)));
    }
  }

  private void noBody(Exchange exchange, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof HttpException refused) {
      exchange.refuse(refused.getCode(), JsonErrors.message(refused, limits));
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
  private void predict(Exchange exchange, Optional<String> version, byte[] body) {
    try {
      Signature signature = Signature.of(requireModel(version));
      InferRequest request = new RequestReader(signature, limits.maxRows()).read(body);
      Pending pending = new Pending(request, System.nanoTime());
      pending
          .answer()
          .orTimeout(left(exchange.request()), TimeUnit.NANOSECONDS)
          .whenCompleteAsync(
              (answer, failure) -> end(exchange, version, request, answer, failure), executor);
      if (!predictors.offer(pending)) {
        pending
            .answer()
            .completeExceptionally(
                new RefusedRequestException(
                    HttpStatus.SERVICE_UNAVAILABLE_503,
                    "Too many rows wait to be predicted already (%s); ask again later"
                        .formatted(predictors.waitingRows())));
      }
    } catch (RefusedRequestException e) {
      exchange.refuse(e.status(), e.getMessage());
    } catch (RuntimeException | Error e) {
      fail(exchange, e);
    }
  }

  private void end(
      Exchange exchange,
      Optional<String> version,
      InferRequest request,
      Answer answer,
      Throwable failure) {
    try {
      metrics.took(Duration.ofNanos(System.nanoTime() - exchange.request().getBeginNanoTime()));
      if (failure instanceof RefusedRequestException refused) {
        exchange.refuse(refused.status(), refused.getMessage());
      } else if (failure instanceof TimeoutException) {
        exchange.refuse(
            HttpStatus.GATEWAY_TIMEOUT_504,
            "No prediction within %s; send fewer rows at once, or ask again later"
                .formatted(limits.timeout()));
      } else if (failure != null) {
        fail(exchange, failure);
      } else {
        // It was served when the request came; another may have predicted since.
        requireVersion(answer.model(), version);
        exchange.answer(writer.write(request, answer));
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

  /** Of the request's time, in nanoseconds; at least one. */
  private long left(Request request) {
    return Math.max(
        1, limits.timeout().toNanos() - (System.nanoTime() - request.getBeginNanoTime()));
  }
}
