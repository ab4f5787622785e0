package dev.millrace.serve;

import dev.millrace.job.serve.Endpoint;
import dev.millrace.job.serve.Limits;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Jetty, as a server of predictions has it. */
final class HttpFront {

  private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);

  /** Of a connection that nothing is asked on; of one that is slow, too. */
  private static final Duration IDLE = Duration.ofSeconds(30);

  /** The same while the server stops. */
  private static final Duration SHUTDOWN_IDLE = Duration.ofMillis(250);

  private static final int MOST_HEADERS = 16 << 10;
  private static final long UNLIMITED = -1;

  private final Endpoint endpoint;
  private final Limits limits;
  private final QueuedThreadPool threads;
  private final Server server;
  private final ServerConnector connector;

  /**
   * Doesn't listen yet.
   *
   * @throws IOException if a file of the endpoint can't be read
   */
  HttpFront(Endpoint endpoint, Limits limits, ServerMetrics metrics) throws IOException {
    this.endpoint = endpoint;
    this.limits = limits;
    // None of them waits for anything, so a few are enough.
    this.threads = new QueuedThreadPool(8 + 2 * Runtime.getRuntime().availableProcessors());
    this.threads.setName("millrace-http");
    this.threads.setDaemon(true);
    this.server = new Server(threads);
    this.connector = new ServerConnector(server, 1, 1, connections(endpoint));
    this.connector.setHost(endpoint.host());
    this.connector.setPort(endpoint.port());
    this.connector.setIdleTimeout(IDLE.plus(limits.timeout()).toMillis());
    this.connector.setShutdownIdleTimeout(SHUTDOWN_IDLE.toMillis());
    this.server.addConnector(connector);
    this.server.addBean(new NetworkConnectionLimit(limits.maxConnections(), server));
    this.server.setErrorHandler(new JsonErrors(metrics, limits));
    // Requests that are in flight have their own time.
    this.server.setStopTimeout(limits.timeout().plusSeconds(1).toMillis());
  }

  private static ConnectionFactory[] connections(Endpoint endpoint) throws IOException {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MOST_HEADERS);
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    Optional<Endpoint.Tls> tls = endpoint.tls();
    if (tls.isEmpty()) {
      return new ConnectionFactory[] {plain};
    }
    // Clients check the name in the certificate; the server has one for whatever name it is called.
    http.addCustomizer(new SecureRequestCustomizer(false));
    KeyMaterial keys = KeyMaterial.read(tls.get());
    SslContextFactory.Server context = new SslContextFactory.Server();
    context.setKeyStore(keys.store());
    context.setKeyStorePassword(keys.password());
    context.setSniRequired(false);
    return new ConnectionFactory[] {
      new SslConnectionFactory(context, HttpVersion.HTTP_1_1.asString()), plain
    };
  }

  /** Where answers are written. */
  QueuedThreadPool threads() {
    return threads;
  }

  /**
   * Begins to listen.
   *
   * @throws IOException if it can't, saying what to do
   */
  void start(Handler handler) throws IOException {
    SizeLimitHandler sized = new SizeLimitHandler(limits.maxBody(), UNLIMITED);
    sized.setHandler(handler);
    server.setHandler(new GracefulHandler(sized));
    try {
      server.start();
    } catch (IOException e) {
      stop();
      throw new IOException(
          "The server can't listen at %s: %s; name another --host or --port"
              .formatted(endpoint, e.getMessage()),
          e);
    } catch (Exception e) {
      stop();
      throw new IOException(
          "The server can't be started at %s: %s".formatted(endpoint, e.getMessage()), e);
    }
  }

  URI address() {
    String host = endpoint.host().contains(":") ? "[" + endpoint.host() + "]" : endpoint.host();
    return URI.create(
        "%s://%s:%s"
            .formatted(
                endpoint.tls().isPresent() ? "https" : "http", host, connector.getLocalPort()));
  }

  /** Takes no more connections, waits for the answers to requests in flight, and ends. */
  void stop() {
    try {
      server.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.warn("Not all requests in flight could be answered", e);
    }
  }
}
