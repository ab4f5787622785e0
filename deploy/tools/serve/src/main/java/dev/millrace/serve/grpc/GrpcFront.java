package dev.millrace.serve.grpc;

import dev.millrace.job.serve.Endpoint;
import dev.millrace.job.serve.Limits;
import dev.millrace.serve.Front;
import dev.millrace.serve.KeyMaterial;
import dev.millrace.serve.PredictionService;
import io.grpc.Attributes;
import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerTransportFilter;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.util.AdvancedTlsX509KeyManager;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A port that speaks gRPC, with the limits, the token and the certificate of HTTP's. */
final class GrpcFront implements Front {

  /** Calls of one connection at a time, each with a message of up to the longest body. */
  private static final int MOST_CALLS = 100;

  private static final int MOST_HEADERS = 16 << 10;
  private static final long IDLE_SECONDS = 60;

  /**
   * Clients notice nothing: they open another connection, and what is asked on the old one is
   * answered. But nothing else ends a call whose answer its client doesn't take.
   */
  private static final int TIMEOUTS_OF_A_CONNECTION = 10;

  /**
   * Kept, since what it is told is forgotten with it: clients' mistakes are no lines of the log.
   */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  private final Endpoint endpoint;
  private final long stopMillis;
  private final ExecutorService executor;
  private final Optional<AdvancedTlsX509KeyManager> keys;
  private final Server server;

  private GrpcFront(Endpoint endpoint, Limits limits, PredictionService service)
      throws IOException {
    GRPC.setLevel(Level.SEVERE);
    this.endpoint = endpoint;
    this.stopMillis = limits.timeout().toMillis() + 1000;
    // None of them waits for anything, so a few are enough.
    this.executor =
        Executors.newFixedThreadPool(
            2 * Runtime.getRuntime().availableProcessors(), GrpcFront::thread);
    this.keys = endpoint.tls().map(tls -> new AdvancedTlsX509KeyManager());
    rereadKeys();
    ServerCredentials credentials =
        keys.isPresent()
            ? TlsServerCredentials.newBuilder().keyManager(keys.get()).build()
            : InsecureServerCredentials.create();
    this.server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(endpoint.host(), endpoint.grpcPort().orElseThrow()),
                credentials)
            .executor(executor)
            .maxInboundMessageSize((int) Math.min(limits.maxBody(), Integer.MAX_VALUE))
            .maxInboundMetadataSize(MOST_HEADERS)
            .maxConcurrentCallsPerConnection(MOST_CALLS)
            .maxConnectionIdle(IDLE_SECONDS, TimeUnit.SECONDS)
            .maxConnectionAge(
                TIMEOUTS_OF_A_CONNECTION * limits.timeout().toMillis(), TimeUnit.MILLISECONDS)
            // To the answer, and until its client has it, as over HTTP.
            .maxConnectionAgeGrace(2 * limits.timeout().toMillis(), TimeUnit.MILLISECONDS)
            // Else a few bytes become a long message, before anybody counts them.
            .decompressorRegistry(
                DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false))
            .addStreamTracerFactory(CallMemory.factory(service.bodies(), MOST_CALLS))
            .handshakeTimeout(Math.min(limits.timeout().toMillis(), 10_000), TimeUnit.MILLISECONDS)
            .addTransportFilter(new FewConnections(limits.maxConnections()))
            .addService(new InferenceService(service, limits, executor).definition())
            .build();
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "millrace-grpc");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Begins to listen.
   *
   * @throws IOException if it can't, saying what to do
   */
  static GrpcFront start(Endpoint endpoint, Limits limits, PredictionService service)
      throws IOException {
    GrpcFront front = new GrpcFront(endpoint, limits, service);
    try {
      front.server.start();
      return front;
    } catch (IOException e) {
      front.stop();
      throw new IOException(
          "The server can't listen for gRPC at %s:%s: %s; name another --grpc-port"
              .formatted(
                  endpoint.host(), endpoint.grpcPort().orElseThrow(), e.getCause().getMessage()),
          e);
    }
  }

  /** Ends connections beyond the most, half of which may be of one address, as over HTTP. */
  private static final class FewConnections extends ServerTransportFilter {

    private static final Attributes.Key<InetAddress> COUNTED = Attributes.Key.create("counted");

    private final int most;
    private final Map<InetAddress, Integer> openOf = new HashMap<>();
    private int open;

    FewConnections(int most) {
      this.most = most;
    }

    @Override
    public synchronized Attributes transportReady(Attributes attributes) {
      SocketAddress remote = attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
      InetAddress address = ((InetSocketAddress) remote).getAddress();
      int openOfIt = openOf.getOrDefault(address, 0);
      if (open == most || openOfIt == (most + 1) / 2) {
        throw new IllegalStateException(
            "There are %s connections already, %s of them from %s"
                .formatted(open, openOfIt, address));
      }
      open++;
      openOf.put(address, openOfIt + 1);
      return attributes.toBuilder().set(COUNTED, address).build();
    }

    @Override
    public synchronized void transportTerminated(Attributes attributes) {
      InetAddress address = attributes == null ? null : attributes.get(COUNTED);
      if (address != null) {
        open--;
        openOf.computeIfPresent(address, (any, count) -> count == 1 ? null : count - 1);
      }
    }
  }

  @Override
  public void rereadKeys() throws IOException {
    if (keys.isEmpty()) {
      return;
    }
    KeyMaterial read = KeyMaterial.read(endpoint.tls().orElseThrow());
    try {
      KeyStore store = read.store();
      String alias = alias(store);
      keys.get()
          .updateIdentityCredentials(
              Arrays.copyOf(
                  store.getCertificateChain(alias),
                  store.getCertificateChain(alias).length,
                  X509Certificate[].class),
              (PrivateKey) store.getKey(alias, read.password().toCharArray()));
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "TLS can't be set up with the certificate: %s".formatted(e.getMessage()), e);
    }
  }

  private static String alias(KeyStore store) throws GeneralSecurityException, IOException {
    for (String alias : Collections.list(store.aliases())) {
      if (store.isKeyEntry(alias)) {
        return alias;
      }
    }
    throw new IOException("The key store has no key; name one with a certificate and its key");
  }

  @Override
  public URI address() {
    String host = endpoint.host().contains(":") ? "[" + endpoint.host() + "]" : endpoint.host();
    return URI.create(
        "%s://%s:%s".formatted(keys.isPresent() ? "grpcs" : "grpc", host, server.getPort()));
  }

  @Override
  public void stop() {
    server.shutdown();
    try {
      if (!server.awaitTermination(stopMillis, TimeUnit.MILLISECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    executor.shutdown();
  }
}
