package dev.millrace.serve;

import dev.millrace.http.ConnectionLimits;
import dev.millrace.http.Connections;
import dev.millrace.http.Repeated;
import dev.millrace.job.serve.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Jetty, as a server of predictions has it: one port, with threads of its own. */
final class HttpFront {

  private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);

  /** A connection that nothing is asked on is kept for so long. */
  private static final Duration IDLE = Duration.ofSeconds(30);

  /** A connection that nothing is asked on is kept for so long while the server stops. */
  private static final Duration SHUTDOWN_IDLE = Duration.ofMillis(250);

  private static final Duration BETWEEN_LOOKS_AT_FILES = Duration.ofSeconds(2);
  private static final int MOST_HEADERS = 16 << 10;

  private final Endpoint endpoint;
  private final QueuedThreadPool threads;
  private final Server server;
  private final ServerConnector connector;
  private final Connections connections;
  private final List<RereadFiles> files = new ArrayList<>();

  /**
   * Doesn't listen yet.
   *
   * @throws IOException if a file of the endpoint can't be read
   */
  HttpFront(Endpoint endpoint, ConnectionLimits limits, ServerMetrics metrics) throws IOException {
    this.endpoint = endpoint;
    // None of them waits for anything, so a few are enough.
    this.threads = new QueuedThreadPool(8 + 2 * Runtime.getRuntime().availableProcessors());
    this.threads.setName("millrace-http");
    this.threads.setDaemon(true);
    this.server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MOST_HEADERS);
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    this.connector = new ServerConnector(server, 1, 1, withTls(plain));
    this.connector.setHost(endpoint.host());
    this.connector.setPort(endpoint.port());
    // Where more come at once than it holds, clients wait for seconds: the system drops them
    // silently.
    this.connector.setAcceptQueueSize(limits.most());
    this.connector.setIdleTimeout(IDLE.plus(limits.request()).toMillis());
    this.connector.setShutdownIdleTimeout(SHUTDOWN_IDLE.toMillis());
    this.server.addConnector(connector);
    this.connections = new Connections(limits, metrics::cut);
    this.connections.watch(plain, server);
    this.server.setErrorHandler(new JsonErrors(metrics));
    // Requests that are in flight have their own time.
    this.server.setStopTimeout(limits.request().plusSeconds(1).toMillis());
    Repeated.add(server, BETWEEN_LOOKS_AT_FILES, () -> threads.execute(this::lookAtFiles));
  }

  private ConnectionFactory[] withTls(HttpConnectionFactory plain) throws IOException {
    Optional<Endpoint.Tls> tls = endpoint.tls();
    if (tls.isEmpty()) {
      return new ConnectionFactory[] {plain};
    }
    // Clients check the name in the certificate; the server has one for whatever name it is called.
    plain.getHttpConfiguration().addCustomizer(new SecureRequestCustomizer(false));
    SslContextFactory.Server context = new SslContextFactory.Server();
    context.setSniRequired(false);
    reread(
        RereadFiles.read(
            KeyMaterial.files(tls.get()), () -> use(context, KeyMaterial.read(tls.get()))));
    return new ConnectionFactory[] {
      new SslConnectionFactory(context, HttpVersion.HTTP_1_1.asString()), plain
    };
  }

  private static void use(SslContextFactory.Server context, KeyMaterial keys) throws IOException {
    try {
      // One that hasn't been started yet takes them, too.
      context.reload(
          any -> {
            context.setKeyStore(keys.store());
            context.setKeyStorePassword(keys.password());
          });
    } catch (Exception e) {
      throw new IOException(
          "TLS can't be set up with the certificate: %s".formatted(e.getMessage()), e);
    }
  }

  /** Has files read again when they have changed. */
  void reread(RereadFiles again) {
    synchronized (files) {
      files.add(again);
    }
  }

  private void lookAtFiles() {
    synchronized (files) {
      files.forEach(RereadFiles::look);
    }
  }

  /** Returns the threads that answers are written on. */
  QueuedThreadPool threads() {
    return threads;
  }

  /**
   * Begins to listen.
   *
   * @throws IOException if it can't, saying what to do
   */
  void start(Handler handler) throws IOException {
    connections.setHandler(handler);
    server.setHandler(new GracefulHandler(connections));
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
