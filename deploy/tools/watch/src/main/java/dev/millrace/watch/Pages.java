package dev.millrace.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The page, its files, the history, and what is new. */
final class Pages extends Handler.Abstract {

  private static final int MOST_CLIENTS = 64;

  /** A client gets the history within this time, or not at all. */
  private static final Duration MOST_TIME = Duration.ofMinutes(1);

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final History history;
  private final Access access;

  /** Guarded by itself. */
  private final Set<Thread> clients = new HashSet<>();

  Pages(History history, Access access) {
    this.history = history;
    this.access = access;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    response.getHeaders().put("Content-Security-Policy", POLICY);
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    response.getHeaders().put("Referrer-Policy", "no-referrer");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    if (!HttpMethod.GET.is(request.getMethod())) {
      answer(response, callback, 405, "text/plain", "This page is only looked at.\n");
      return true;
    }
    String path = Request.getPathInContext(request);
    switch (access.admit(request, response)) {
      case REFUSED ->
          answer(
              response,
              callback,
              access.hasToken() ? 401 : 403,
              "text/plain",
              access.hasToken()
                  ? "Open the address that the command has printed, with its token.\n"
                  : "This page is for this machine alone, which calls it 127.0.0.1 or localhost,"
                      + " and for no pages of others.\n");
      case SHOWN -> {
        if (path.equals("/")) {
          // The token isn't to stay in the browser's history, nor where the address is seen.
          response.getHeaders().put(HttpHeader.LOCATION, "/");
          answer(response, callback, 303, "text/plain", "The page is at /.\n");
        } else {
          answer(path, response, callback);
        }
      }
      case ADMITTED -> answer(path, response, callback);
    }
    return true;
  }

  private void answer(String path, Response response, Callback callback) {
    switch (path) {
      case "/" -> answer(response, callback, 200, "text/html", new String(Assets.page(), UTF_8));
      case "/history" -> stream(response, callback, "application/json", this::writeHistory);
      case "/events" -> stream(response, callback, "text/event-stream", this::writeEvents);
      default ->
          Assets.find(path.startsWith("/assets/") ? path.substring("/assets/".length()) : "")
              .ifPresentOrElse(
                  content ->
                      answer(
                          response,
                          callback,
                          200,
                          path.endsWith(".css") ? "text/css" : "text/javascript",
                          new String(content, UTF_8)),
                  () -> answer(response, callback, 404, "text/plain", "There is no such page.\n"));
    }
  }

  private static void answer(
      Response response, Callback callback, int status, String type, String text) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type + ";charset=utf-8");
    response.write(true, ByteBuffer.wrap(text.getBytes(UTF_8)), callback);
  }

  /** Writes as fast as a client reads, on a thread of the client's own. */
  private interface Streaming {

    void write(OutputStream client) throws IOException, InterruptedException;
  }

  private void stream(Response response, Callback callback, String type, Streaming streaming) {
    Thread thread = new Thread(() -> write(response, callback, streaming), "millrace-watch-client");
    thread.setDaemon(true);
    synchronized (clients) {
      if (clients.size() >= MOST_CLIENTS) {
        answer(response, callback, 503, "text/plain", "Too many are looking.\n");
        return;
      }
      clients.add(thread);
    }
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type + ";charset=utf-8");
    thread.start();
  }

  private void write(Response response, Callback callback, Streaming streaming) {
    try {
      streaming.write(Content.Sink.asOutputStream(response));
      callback.succeeded();
    } catch (IOException | InterruptedException e) {
      // The client is gone, too slow, or the server ends.
      callback.failed(e);
    } finally {
      synchronized (clients) {
        clients.remove(Thread.currentThread());
      }
    }
  }

  private void writeHistory(OutputStream client) throws IOException {
    history.write(new TimedOutput(client, MOST_TIME), true);
  }

  private void writeEvents(OutputStream client) throws IOException, InterruptedException {
    EventStream events = new EventStream();
    history.listen(events);
    try {
      events.writeTo(client);
    } finally {
      history.leave(events);
    }
    // It was too slow: its connection ends, and what it hasn't got with it.
    throw new IOException("A client of the live page doesn't keep up");
  }

  /** Lets all clients go. */
  void close() {
    synchronized (clients) {
      clients.forEach(Thread::interrupt);
    }
  }
}
