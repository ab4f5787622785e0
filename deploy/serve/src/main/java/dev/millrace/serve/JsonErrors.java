package dev.millrace.serve;

import dev.millrace.job.serve.Limits;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** What Jetty itself refuses, such as bytes that are no HTTP, in the protocol's form. */
final class JsonErrors extends ErrorHandler {

  private final ServerMetrics metrics;
  private final Limits limits;

  JsonErrors(ServerMetrics metrics, Limits limits) {
    this.metrics = metrics;
    this.limits = limits;
  }

  /** What Jetty has found, in words of ours where it is a limit of ours. */
  static String message(HttpException refused, Limits limits) {
    return message(refused.getCode(), refused.getReason(), limits);
  }

  private static String message(int code, String reason, Limits limits) {
    return code == HttpStatus.PAYLOAD_TOO_LARGE_413
        ? "The body has more than %s bytes, which is the most that this server takes; send fewer rows at once"
            .formatted(limits.maxBody())
        : reason == null ? HttpStatus.getMessage(code) : reason;
  }

  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int code,
      String message,
      Throwable cause,
      Callback callback) {
    metrics.answered(Api.OTHER, code);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Api.JSON);
    // A cause's text is for the log: it may tell of the inside.
    String told =
        code == HttpStatus.INTERNAL_SERVER_ERROR_500
            ? "The server failed; its log says why"
            : message(code, message, limits);
    response.write(true, ByteBuffer.wrap(Json.error(told)), callback);
  }
}
