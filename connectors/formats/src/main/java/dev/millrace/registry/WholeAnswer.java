package dev.millrace.registry;

import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for an answer to its end. A limit of the JDK's client ends with the answer's head. */
public final class WholeAnswer {

  private WholeAnswer() {}

  /**
   * Sends a request.
   *
   * @param body what is made of the answer's body
   * @param limit for the request and its whole answer
   * @throws IOException if there is no whole answer in time; the message is a clause that says why
   */
  public static <T> HttpResponse<T> of(
      HttpClient client, HttpRequest request, BodyHandler<T> body, Duration limit)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, body);
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw late(limit, e);
    } catch (ExecutionException e) {
      // The client's limit for a connection may be the same, and end first.
      throw e.getCause() instanceof HttpTimeoutException
          ? late(limit, e)
          : new IOException(Reason.of(e.getCause()), e);
    } finally {
      answer.cancel(true);
    }
  }

  private static IOException late(Duration limit, Exception cause) {
    return new IOException("no whole answer within %s s".formatted(limit.toSeconds()), cause);
  }
}
