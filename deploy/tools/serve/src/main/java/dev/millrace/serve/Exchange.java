package dev.millrace.serve;

import dev.millrace.model.ModelVersion;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A request of HTTP and its one answer: the first that is given is sent.
 *
 * <p>Thread-safe.
 */
final class Exchange {

  private static final String SOON = "1";

  private final Request request;
  private final Response response;
  private final Callback callback;
  private final ServerMetrics metrics;
  private final AtomicBoolean answered = new AtomicBoolean();
  private volatile String api = Api.OTHER;

  Exchange(Request request, Response response, Callback callback, ServerMetrics metrics) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.metrics = metrics;
  }

  Request request() {
    return request;
  }

  /**
   * Returns what is asked for, without what stands behind a question mark; empty where it is no
   * path.
   */
  String path() {
    return Objects.requireNonNullElse(request.getHttpURI().getCanonicalPath(), "");
  }

  /** Says what was asked for, for metrics. */
  void isOf(String newApi) {
    api = newApi;
  }

  void answer(byte[] json) {
    answer(HttpStatus.OK_200, Api.JSON, json);
  }

  /**
   * Answers, and names the model's version in a header, for traces. Where binary data stands behind
   * the JSON, another says how long the JSON is.
   */
  void answer(Written written, ModelVersion version) {
    if (answered.compareAndSet(false, true)) {
      response.getHeaders().put(Api.MODEL_VERSION, version.toString());
      if (written.tail().isEmpty()) {
        send(HttpStatus.OK_200, Api.JSON, written.json());
      } else {
        response.getHeaders().put(Inference.JSON_LENGTH, written.json().length);
        send(HttpStatus.OK_200, Inference.OCTETS, written.all());
      }
    }
  }

  void answer(int status, String contentType, byte[] body) {
    if (answered.compareAndSet(false, true)) {
      send(status, contentType, body);
    }
  }

  /** Answers that it can't be answered, and why. */
  void refuse(int status, String message) {
    if (answered.compareAndSet(false, true)) {
      if (!request.consumeAvailable()) {
        // The rest of its body would be taken for the next request.
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
      }
      switch (status) {
        case HttpStatus.SERVICE_UNAVAILABLE_503 ->
            response.getHeaders().put(HttpHeader.RETRY_AFTER, SOON);
        case HttpStatus.UNAUTHORIZED_401 ->
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"millrace\"");
        default -> {}
      }
      send(status, Api.JSON, Json.error(message));
    }
  }

  /** Says which methods there are instead. */
  void refuseMethod(String allowed) {
    response.getHeaders().put(HttpHeader.ALLOW, allowed);
    refuse(
        HttpStatus.METHOD_NOT_ALLOWED_405,
        "%s has no %s; send %s"
            .formatted(Tokens.shorten(path()), Tokens.shorten(request.getMethod()), allowed));
  }

  private void send(int status, String contentType, byte[] body) {
    metrics.answered(api, status);
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
    response.write(true, ByteBuffer.wrap(body), callback);
  }
}
