package dev.millrace.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final History history;
  private final Access access;
  private final Set<Thread> clients = ConcurrentHashMap.newKeySet();

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
    } else if (!access.admits(request, response)) {
      answer(
          response,
          callback,
          access.hasToken() ? 401 : 403,
          "text/plain",
          access.hasToken()
              ? "Open the address that the command has printed, with its token.\n"
              : "This page is for this machine alone, which calls it 127.0.0.1 or localhost.\n");
    } else {
      answer(Request.getPathInContext(request), response, callback);
    }
    return true;
  }

  private void answer(String path, Response response, Callback callback) {
    switch (path) {
      case "/" -> answer(response, callback, 200, "text/html", new String(Assets.page(), UTF_8));
      case "/history" -> answer(response, callback, 200, "application/json", history.json(true));
      case "/events" -> stream(response, callback);
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

  private void stream(Response response, Callback callback) {
    if (clients.size() >= MOST_CLIENTS) {
      answer(response, callback, 503, "text/plain", "Too many are looking.\n");
      return;
    }
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream;charset=utf-8");
    Thread thread = new Thread(() -> write(response, callback), "millrace-watch-client");
    thread.setDaemon(true);
    clients.add(thread);
    thread.start();
  }

  private void write(Response response, Callback callback) {
    EventStream events = new EventStream();
    history.listen(events);
    try {
      events.writeTo(Content.Sink.asOutputStream(response));
      // It was too slow: its connection ends, and what it hasn't got with it.
      callback.failed(new IOException("A client of the live page doesn't keep up"));
    } catch (IOException e) {
      // The client is gone.
      callback.failed(e);
    } catch (InterruptedException e) {
      callback.failed(e);
    } finally {
      history.leave(events);
      clients.remove(Thread.currentThread());
    }
  }

  /** Lets all clients go. */
  void close() {
    clients.forEach(Thread::interrupt);
  }
}
