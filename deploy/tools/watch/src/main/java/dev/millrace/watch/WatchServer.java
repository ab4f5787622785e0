package dev.millrace.watch;

import dev.millrace.http.ConnectionLimits;
import dev.millrace.http.Connections;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the live page of a history until it is closed. */
public final class WatchServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WatchServer.class);

  /** Events have heartbeats that are more frequent. */
  private static final Duration IDLE = Duration.ofMinutes(1);

  private static final int MOST_THREADS = 16;

  /** A browser follows events on one connection, and makes another one when it is closed. */
  private static final ConnectionLimits LIMITS =
      ConnectionLimits.of(200, Duration.ofSeconds(10), Duration.ofDays(1));

  private final Server server;
  private final ServerConnector connector;
  private final Pages pages;
  private final Optional<String> token;

  private WatchServer(History history, String host, int port, Optional<String> token) {
    this.token = token;
    QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS);
    threads.setName("millrace-watch-http");
    threads.setDaemon(true);
    this.server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    this.connector = new ServerConnector(server, 1, 1, plain);
    connector.setHost(host);
    connector.setPort(port);
    connector.setAcceptQueueSize(LIMITS.most());
    connector.setIdleTimeout(IDLE.toMillis());
    server.addConnector(connector);
    Connections connections = new Connections(LIMITS, why -> {});
    connections.watch(plain, server);
    this.pages = new Pages(history, new Access(token, host));
    connections.setHandler(pages);
    server.setHandler(connections);
  }

  /**
   * Begins to listen.
   *
   * @param host of another than this machine's loopback only with a token
   * @param port 0 for any that is free
   * @throws IOException if it can't, saying what to do
   */
  public static WatchServer start(History history, String host, int port, Optional<String> token)
      throws IOException {
    WatchServer watch = new WatchServer(history, host, port, token);
    try {
      watch.server.start();
    } catch (Exception e) {
      watch.close();
      throw new IOException(
          "The page can't be served at %s, port %s: %s; name another port"
              .formatted(host, port, e.getMessage()),
          e);
    }
    return watch;
  }

  /** Returns the address to open in a browser; it has the token. */
  public URI address() {
    return URI.create(
        "http://%s:%s/%s"
            .formatted(
                connector.getHost(),
                connector.getLocalPort(),
                token.map(shown -> "?token=" + shown).orElse("")));
  }

  @Override
  public void close() {
    pages.close();
    try {
      server.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.warn("The server of the page can't be stopped", e);
    }
  }
}
