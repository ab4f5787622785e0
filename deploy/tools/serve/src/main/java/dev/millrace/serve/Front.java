package dev.millrace.serve;

import dev.millrace.job.serve.Endpoint;
import dev.millrace.job.serve.Limits;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.ServiceLoader;

/** Another way for requests to come in, beside HTTP. */
public interface Front {

  /** Starts a front. Found by {@link ServiceLoader}. */
  interface Provider {

    /**
     * Begins to listen at the endpoint's port for gRPC.
     *
     * @throws IOException if it can't, saying what to do
     */
    Front start(Endpoint endpoint, Limits limits, PredictionService service) throws IOException;
  }

  /** Returns where it listens. */
  URI address();

  /**
   * Reads certificate and key again.
   *
   * @throws IOException if they can't be used; those from before stay
   */
  void rereadKeys() throws IOException;

  /** Takes no more requests, waits for the answers to those in flight, and ends. */
  void stop();

  /** Returns the provider on the class path, if there is one. */
  static Optional<Provider> find() {
    return ServiceLoader.load(Provider.class, Front.class.getClassLoader()).findFirst();
  }
}
