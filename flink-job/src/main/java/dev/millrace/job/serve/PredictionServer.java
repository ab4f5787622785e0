package dev.millrace.job.serve;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;

/**
 * A server in this process that answers requests with the newest published model.
 *
 * <p>Thread-safe.
 */
public interface PredictionServer extends AutoCloseable {

  /** Starts servers. An extra that is found by {@link ServiceLoader}. */
  interface Provider {

    /**
     * Begins to listen, and to look for models. It is ready when it has found the first.
     *
     * @throws IOException if the address or a file that the settings name can't be used, saying
     *     what to do
     */
    PredictionServer start(ServerSettings settings) throws IOException;
  }

  /** Returns where it listens, with the port that it has got. */
  URI address();

  /** Returns where it tells of its health on a port of its own, if it has one. */
  Optional<URI> healthAddress();

  /** Returns where it speaks gRPC, if it does. */
  Optional<URI> grpcAddress();

  /**
   * Completes exceptionally if the server can't go on, such as where an engine doesn't work. It
   * isn't ready then.
   */
  CompletableFuture<Void> failure();

  /**
   * Is not ready from now on, answers the requests that it has, and ends. Waits for all that; the
   * second call does nothing.
   */
  @Override
  void close();

  /** The provider on the class path, if there is one. */
  static Optional<Provider> find() {
    return ServiceLoader.load(Provider.class, PredictionServer.class.getClassLoader()).findFirst();
  }
}
