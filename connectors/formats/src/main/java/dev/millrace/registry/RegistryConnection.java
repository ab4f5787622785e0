package dev.millrace.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
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

  /** Confluent's API calls a schema that isn't there so. */
  static final int NO_SUCH_SCHEMA = 40403;

  private static final JsonMapper JSON = new JsonMapper();

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;

  private static final int MOST_BYTES = 5 << 20;

  // Records name what is asked for, and may name something else each time.
  private static final int AT_ONCE = 100;
  private static final Duration BETWEEN = Duration.ofMillis(10);

  /**
   * What a server said.
   *
   * @param status 200, or why it doesn't give what was asked for; the body tells of an error then
   */
  record Answer(String url, int status, byte[] body) {

    boolean isFound() {
      return status == OK;
    }

    boolean isMissing() {
      return status == NOT_FOUND;
    }

    /** Whether the registry knows that there is no such schema. */
    boolean isNoSuchSchema() {
      return errorCode() == NO_SUCH_SCHEMA;
    }

    /** The code in an answer that tells of an error; 0 where there is none. */
    int errorCode() {
      return error().path("error_code").asInt();
    }

    /** Returns the registry's own words of an error, or nothing. */
    String said() {
      return error().path("message").asText();
    }

    private JsonNode error() {
      try {
        return JSON.readTree(body);
      } catch (IOException e) {
        return JSON.missingNode();
      }
    }

    /** The status in words, with what to do. */
    String problem(String path) {
      return status == UNAUTHORIZED || status == FORBIDDEN
          ? "The schema registry at %s refuses the login (status %s); check user, password or token"
              .formatted(url, status)
          : "The schema registry at %s answered %s with status %s; check the registry, or its URL"
              .formatted(url, path, status);
    }

    private boolean isRefusal() {
      return status >= BAD_REQUEST && status < SERVER_ERROR && !isForLater();
    }

    private boolean isForLater() {
      return status == UNAUTHORIZED || status == REQUEST_TIMEOUT || status == TOO_MANY_REQUESTS;
    }
  }

  private final RegistrySettings settings;
  private final Pace pace = new Pace(AT_ONCE, BETWEEN);
  private HttpClient client;
  private int first;

  RegistryConnection(RegistrySettings settings) {
    this.settings = settings;
  }

  /**
   * Gets something.
   *
   * @param path from the registry's URL on
   * @return with status 200 of some server, or else with one of 400 to 499 that is about what was
   *     asked for: best one that knows of no such schema
   * @throws RegistryException if no server gives one of these
   */
  Answer get(String path) throws RegistryException, InterruptedException {
    RegistryException problem = null;
    Answer refusal = null;
    for (int i = 0; i < settings.urls().size(); i++) {
      int server = (first + i) % settings.urls().size();
      try {
        Answer answer = get(settings.urls().get(server), path);
        if (answer.isFound()) {
          first = server;
          return answer;
        }
        // Another server may have it: this one may be new, or of something else.
        refusal = refusal == null || answer.isNoSuchSchema() ? answer : refusal;
      } catch (RegistryException e) {
        problem = problem == null ? e : problem;
      }
    }
    if (refusal == null) {
      throw problem;
    }
    return refusal;
  }

  private Answer get(String url, String path) throws RegistryException, InterruptedException {
    pace.await();
    Answer answer = send(url, path);
    if (answer.isFound() || answer.isRefusal()) {
      return answer;
    }
    throw new RegistryException(
        answer.isForLater() ? RegistryException.Kind.LATER : RegistryException.Kind.FAILED,
        answer.problem(path),
        "the registry answers for it with status %s".formatted(answer.status()));
  }

  private Answer send(String url, String path) throws RegistryException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> response = null;
    try {
      response = client().sendAsync(request(url, path), any -> new BoundedBody(MOST_BYTES));
      HttpResponse<byte[]> got = response.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
      return new Answer(url, got.statusCode(), got.body());
    } catch (TimeoutException e) {
      response.cancel(true);
      throw late(url);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof HttpTimeoutException) {
        throw late(url);
      }
      // The next one reads the certificates anew: these may have been replaced.
      client = null;
      throw unreachable(url, Reason.of(e.getCause()));
    } catch (IOException e) {
      // Of files with certificates or secrets: see to those first.
      throw unreachable(url, Reason.naming(e));
    }
  }

  private RegistryException late(String url) {
    return unreachable(url, "no answer within %s ms".formatted(settings.timeout().toMillis()));
  }

  private static RegistryException unreachable(String url, String reason) {
    return new RegistryException(
        RegistryException.Kind.FAILED,
        "The schema registry at %s can't be asked: %s; check the registry, its URL and the network"
            .formatted(url, reason),
        "the registry gives no answer for it: " + reason);
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
      Secret.authorize(
          request, "Bearer " + settings.token().value(), "the token " + settings.token());
    } else if (settings.user() != null) {
      String password = settings.password() == null ? "" : settings.password().value();
      byte[] login = (settings.user() + ":" + password).getBytes(UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login));
    }
    return request.build();
  }
}
