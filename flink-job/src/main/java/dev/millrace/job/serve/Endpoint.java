package dev.millrace.job.serve;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where a server listens, and whom it answers.
 *
 * @param host a name or an address of this machine
 * @param port 0 for any that is free
 * @param healthPort another port for health and metrics alone, in plain HTTP and without a token; 0
 *     for any that is free
 * @param grpcPort another port for gRPC; 0 for any that is free
 * @param tls its certificate and key; plain HTTP without
 * @param access who is answered
 */
public record Endpoint(
    String host,
    int port,
    OptionalInt healthPort,
    OptionalInt grpcPort,
    Optional<Tls> tls,
    Access access) {

  /** Says who is answered. */
  public sealed interface Access {

    /** Admits all who reach the server, but no pages of others in a browser. */
    record Anybody() implements Access {}

    /** Admits whoever calls the server by a name of this machine. */
    record ThisMachine() implements Access {}

    /**
     * Whoever shows the token.
     *
     * @param file has it, and is read again when it has changed
     */
    record Token(Path file) implements Access {}
  }

  /** A certificate and its key. Files are read again when they have changed. */
  public sealed interface Tls {

    /**
     * A certificate and its key as PEM.
     *
     * @param certificates the server's own first, then those that have signed it
     * @param key unencrypted, PKCS #8
     */
    record Pem(Path certificates, Path key) implements Tls {}

    /**
     * A certificate and its key in a key store of PKCS #12 or Java's own kind.
     *
     * @param password has the password of the store and of the key
     */
    record Store(Path file, Path password) implements Tls {}
  }

  public Endpoint {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(healthPort, "healthPort");
    Objects.requireNonNull(grpcPort, "grpcPort");
    Objects.requireNonNull(tls, "tls");
    Objects.requireNonNull(access, "access");
  }

  @Override
  public String toString() {
    return "%s://%s:%s".formatted(tls.isPresent() ? "https" : "http", host, port);
  }
}
