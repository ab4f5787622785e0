package dev.millrace.serve;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** What Jetty itself refuses, such as bytes that are no HTTP, in the protocol's form. */
final class JsonErrors extends ErrorHandler {

  private static final Map<Integer, String> MESSAGES =
      Map.of(
          400,
          "The request is no HTTP that this server takes; check its first line and its headers",
          408,
          "The request wasn't there in time; send it at once",
          414,
          "The address is too long; shorten it",
          426,
          "The request is of another version of HTTP; send HTTP/1.1",
          431,
          "The headers have more than 16384 bytes together; send fewer",
          500,
          "The server failed; its log says why",
          505,
          "The request is of another version of HTTP; send HTTP/1.1");

  private final ServerMetrics metrics;

  JsonErrors(ServerMetrics metrics) {
    this.metrics = metrics;
  }

  /** Says what Jetty has found, in words of ours: its own, and a cause's, tell of the inside. */
  static String message(int status) {
    return MESSAGES.getOrDefault(
        status, "The request can't be answered: %s".formatted(HttpStatus.getMessage(status)));
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
    if (!(cause instanceof IOException)) {
      // With one, the client was gone before its answer, which has been counted.
      metrics.answered(Api.OTHER, code);
    }
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Api.JSON);
    response.write(true, ByteBuffer.wrap(Json.error(message(code))), callback);
  }
}
