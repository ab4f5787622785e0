package dev.millrace.job.train.publish.mlflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.registry.BoundedBody;
import dev.millrace.registry.Secret;
import dev.millrace.registry.WholeAnswer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a registry by MLflow's REST API. Each request ends within a time, and no answer takes more
 * memory than a page of versions needs.
 *
 * <p>Not thread-safe.
 */
final class MlflowClient {

  private static final Logger LOG = LoggerFactory.getLogger(MlflowClient.class);
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MOST_BYTES = 8 << 20;

  private static final String TOKEN = "MLFLOW_TRACKING_TOKEN";

  /** A message has so much of an answer. */
  private static final int MOST_CHARACTERS = 300;

  private final String url;
  private final Duration limit;
  private final Optional<String> authorization;
  private final HttpClient client;

  /**
   * @param environment that says who we are
   * @param limit for a request and its whole answer
   */
  MlflowClient(String url, Map<String, String> environment, Duration limit) {
    this.url = url;
    this.limit = limit;
    this.authorization = authorization(environment);
    this.client = HttpClient.newBuilder().connectTimeout(limit).build();
    if (authorization.isPresent() && isReadableOnTheWay(URI.create(url))) {
      LOG.warn(
          "The login for the registry at {} is sent as plain text, which others on the network can"
              + " read; give it an address that begins with https",
          url);
    }
  }

  /** Whether what is sent leaves this machine, and isn't encrypted. */
  static boolean isReadableOnTheWay(URI uri) {
    if (!"http".equalsIgnoreCase(uri.getScheme())) {
      return false;
    }
    try {
      return !InetAddress.getByName(uri.getHost()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return true;
    }
  }

  /**
   * The header that authorizes requests, from the environment; empty where it has no credentials.
   */
  static Optional<String> authorization(Map<String, String> environment) {
    String token = environment.get(TOKEN);
    String user = environment.get("MLFLOW_TRACKING_USERNAME");
    if (token != null) {
      return Optional.of("Bearer " + Secret.bare(token));
    }
    if (user == null) {
      return Optional.empty();
    }
    String password = environment.getOrDefault("MLFLOW_TRACKING_PASSWORD", "");
    String pair = Secret.bare(user) + ":" + Secret.bare(password);
    return Optional.of(
        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Asks for a path.
   *
   * @param query with its question mark
   * @throws IOException if there is no answer, or it is a refusal
   */
  JsonNode get(String path, String query) throws IOException {
    return require(send(request(path + query).GET()), path);
  }

  /**
   * Sends a request.
   *
   * @throws IOException if there is no answer, or it is a refusal
   */
  JsonNode post(String path, ObjectNode body) throws IOException {
    return require(send(posted(path, body)), path);
  }

  /** Sends a request where a refusal with this code is as good as success. */
  void postUnless(String fineCode, String path, ObjectNode body) throws IOException {
    HttpResponse<byte[]> response = send(posted(path, body));
    if (!fineCode.equals(parsed(response).path("error_code").asText())) {
      require(response, path);
    }
  }

  private HttpRequest.Builder posted(String path, ObjectNode body) throws IOException {
    return request(path).POST(HttpRequest.BodyPublishers.ofString(body.toString()));
  }

  private HttpRequest.Builder request(String path) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + "/api/2.0/mlflow/" + path))
            .header("Content-Type", "application/json");
    if (authorization.isPresent()) {
      Secret.authorize(request, authorization.get(), TOKEN);
    }
    return request;
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException {
    try {
      return WholeAnswer.of(client, request.build(), head -> new BoundedBody(MOST_BYTES), limit);
    } catch (IOException e) {
      throw new UnreachableException(
          "The registry at %s can't be reached: %s; check the registry's URL"
              .formatted(url, e.getMessage()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while waiting for the registry at " + url, e);
    }
  }

  private JsonNode require(HttpResponse<byte[]> response, String path) throws IOException {
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          "The registry at %s answered %s with %s: %s"
              .formatted(url, path, response.statusCode(), reason(response)));
    }
    return parsed(response);
  }

  /** MLflow's own words, or the beginning of what something else has answered. */
  private static String reason(HttpResponse<byte[]> response) {
    String told = parsed(response).path("message").asText();
    String text = told.isEmpty() ? new String(response.body(), StandardCharsets.UTF_8) : told;
    String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS) + "…";
  }

  private static JsonNode parsed(HttpResponse<byte[]> response) {
    try {
      return JSON.readTree(response.body());
    } catch (IOException e) {
      return JSON.missingNode();
    }
  }

  /** There was no answer, so the next request will hardly get one. */
  static final class UnreachableException extends IOException {

    private static final long serialVersionUID = 1;

    UnreachableException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
