package dev.millrace.cli.console;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.serve.Endpoint;
import dev.millrace.job.serve.Endpoint.Access;
import dev.millrace.job.serve.Endpoint.Tls;
import dev.millrace.job.serve.SecretFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** Options that say where a server listens, and whom it answers. */
public final class EndpointArguments {

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description =
          "Where to listen. Any but this machine's own (127.0.0.1, the default) asks for"
              + " --token-file or --no-token.")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "Default: ${DEFAULT-VALUE}. 0: any that is free.")
  private int port;

  @Option(
      names = "--health-port",
      paramLabel = "PORT",
      description =
          "Another port for health and metrics alone, which no number of requests can take: plain"
              + " HTTP, without a token. 0: any that is free.")
  private Integer healthPort;

  @Option(
      names = "--grpc-port",
      paramLabel = "PORT",
      description =
          "Another port for the same protocol as gRPC, with the same token, certificate and limits."
              + " 0: any that is free.")
  private Integer grpcPort;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Has the token that clients must show: 'Authorization: Bearer TOKEN'.")
  private Path tokenFile;

  @Option(names = "--no-token", description = "Answer whoever reaches the host.")
  private boolean noToken;

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description = "HTTPS, with this certificate and those that signed it, PEM.")
  private Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Its key, PEM (PKCS #8, unencrypted).")
  private Path key;

  @Option(
      names = "--tls-keystore",
      paramLabel = "FILE",
      description = "HTTPS, with certificate and key in a key store (PKCS #12).")
  private Path keystore;

  @Option(
      names = "--tls-password-file",
      paramLabel = "FILE",
      description = "Has the key store's password.")
  private Path passwordFile;

  /**
   * Returns what the options say.
   *
   * @throws InvalidOptionsException if they don't fit each other, or a file can't be read
   */
  public Endpoint endpoint() {
    requirePort("--port", port);
    requireOther("--health-port", healthPort, "--port", port);
    requireOther("--grpc-port", grpcPort, "--port", port);
    requireOther("--grpc-port", grpcPort, "--health-port", healthPort);
    if (tokenFile != null && noToken) {
      throw wrong("--token-file and --no-token are both given; leave one out");
    }
    if (tokenFile == null && !noToken && !isLoopback()) {
      throw wrong(
          ("--host is '%s', which other machines reach; give --token-file, or --no-token to answer"
                  + " whoever does")
              .formatted(host));
    }
    return new Endpoint(host, port, optional(healthPort), optional(grpcPort), tls(), access());
  }

  private Access access() {
    if (tokenFile != null) {
      return new Access.Token(secret("--token-file", tokenFile));
    }
    return noToken ? new Access.Anybody() : new Access.ThisMachine();
  }

  private static OptionalInt optional(Integer portOrNull) {
    return portOrNull == null ? OptionalInt.empty() : OptionalInt.of(portOrNull);
  }

  private static void requireOther(
      String option, Integer portOrNull, String otherOption, Integer otherOrNull) {
    if (portOrNull != null) {
      requirePort(option, portOrNull);
      if (portOrNull != 0 && portOrNull.equals(otherOrNull)) {
        throw wrong(
            "%s is '%s', as %s is; name another".formatted(option, portOrNull, otherOption));
      }
    }
  }

  private static void requirePort(String option, int port) {
    if (port < 0 || port > 65_535) {
      throw wrong("%s is '%s'; it must be from 0 to 65535".formatted(option, port));
    }
  }

  private boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw wrong("--host is '%s'; there is no such host".formatted(host));
    }
  }

  private Optional<Tls> tls() {
    if ((certificate == null) != (key == null)) {
      throw wrong("--tls-certificate and --tls-key go together; give both");
    }
    if ((keystore == null) != (passwordFile == null)) {
      throw wrong("--tls-keystore and --tls-password-file go together; give both");
    }
    if (certificate != null && keystore != null) {
      throw wrong("--tls-certificate and --tls-keystore are both given; leave one out");
    }
    if (certificate != null) {
      return Optional.of(new Tls.Pem(certificate, key));
    }
    return keystore == null
        ? Optional.empty()
        : Optional.of(new Tls.Store(keystore, secret("--tls-password-file", passwordFile)));
  }

  /** A file whose secret can be read. */
  private static Path secret(String option, Path file) {
    try {
      SecretFile.read(file);
      return file;
    } catch (IOException e) {
      throw wrong("%s: %s".formatted(option, e.getMessage()));
    }
  }

  private static InvalidOptionsException wrong(String message) {
    return new InvalidOptionsException(List.of(message));
  }
}
