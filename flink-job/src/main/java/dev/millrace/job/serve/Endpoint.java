package dev.millrace.job.serve;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a server listens, and whom it answers.
 *
 * @param host a name or an address of this machine
 * @param port 0 for any that is free
 * @param tls its certificate and key; plain HTTP without
 * @param token that clients have to show; any client is answered without
 */
public record Endpoint(String host, int port, Optional<Tls> tls, Optional<String> token) {

  /** A certificate and its key. */
  public sealed interface Tls {

    /**
     * As PEM.
     *
     * @param certificates the server's own first, then those that have signed it
     * @param key unencrypted, PKCS #8
     */
    record Pem(Path certificates, Path key) implements Tls {}

    /**
     * As a key store of PKCS #12 or Java's own kind.
     *
     * @param password of the store and of the key
     */
    record Store(Path file, String password) implements Tls {

      @Override
      public String toString() {
        return file.toString();
      }
    }
  }

  public Endpoint {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(tls, "tls");
    Objects.requireNonNull(token, "token");
  }

  /** Says nothing of secrets. */
  @Override
  public String toString() {
    return "%s://%s:%s".formatted(tls.isPresent() ? "https" : "http", host, port);
  }
}
