package dev.millrace.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.model.Reason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * Asks the servers of a registry, one after the other until one answers.
 *
 * <p>Used by one thread at a time.
 */
final class RegistryConnection {

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  /**
   * What a server said.
   *
   * @param found whether it has what was asked for; otherwise the body tells of an error
   */
  record Answer(boolean found, byte[] body) {}

  private final RegistrySettings settings;
  private HttpClient client;
  private int first;

  RegistryConnection(RegistrySettings settings) {
    this.settings = settings;
  }

  /**
   * Gets something.
   *
   * @param path from the registry's URL on
   * @return 200 or 404
   * @throws IOException if no server gives one of these, with a line that says why and what to do
   */
  Answer get(String path) throws IOException, InterruptedException {
    IOException problem = null;
    for (int i = 0; i < settings.urls().size(); i++) {
      int server = (first + i) % settings.urls().size();
      try {
        Answer answer = get(settings.urls().get(server), path);
        first = server;
        return answer;
      } catch (IOException e) {
        problem = problem == null ? e : problem;
      }
    }
    throw problem;
  }

  private Answer get(String url, String path) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = send(url, path);
    return switch (response.statusCode()) {
      case OK -> new Answer(true, response.body());
      case NOT_FOUND -> new Answer(false, response.body());
      case UNAUTHORIZED, FORBIDDEN ->
          throw new IOException(
              "The schema registry at %s refuses the login (status %s); check user, password or token"
                  .formatted(url, response.statusCode()));
      default ->
          throw new IOException(
              "The schema registry at %s answered %s with status %s; check the registry, or its URL"
                  .formatted(url, path, response.statusCode()));
    };
  }

  private HttpResponse<byte[]> send(String url, String path)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> response = null;
    try {
      response = client().sendAsync(request(url, path), HttpResponse.BodyHandlers.ofByteArray());
      return response.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      response.cancel(true);
      throw unreachable(url, "no answer within %s ms".formatted(settings.timeout().toMillis()));
    } catch (ExecutionException e) {
      throw unreachable(url, Reason.of(e.getCause()));
    } catch (IOException e) {
      // Of files with certificates or secrets: see to those first.
      throw unreachable(url, Reason.of(e));
    }
  }

  private static IOException unreachable(String url, String reason) {
    return new IOException(
        "The schema registry at %s can't be asked: %s; check the registry, its URL and the network"
            .formatted(url, reason));
  }

  private HttpClient client() throws IOException {
    if (client == null) {
      HttpClient.Builder builder =
          HttpClient.newBuilder()
              // Or the login would go wherever an answer says.
              .followRedirects(HttpClient.Redirect.NEVER)
              .connectTimeout(settings.timeout());
      SSLContext tls = settings.tls().context();
      if (tls != null) {
        builder.sslContext(tls);
      }
      client = builder.build();
    }
    return client;
  }

  private HttpRequest request(String url, String path) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(settings.timeout())
            .header("Accept", "application/vnd.schemaregistry.v1+json, application/json;q=0.9");
    if (settings.token() != null) {
      request.header("Authorization", "Bearer " + settings.token().value());
    } else if (settings.user() != null) {
      String password = settings.password() == null ? "" : settings.password().value();
      byte[] login = (settings.user() + ":" + password).getBytes(UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login));
    }
    return request.build();
  }
}
