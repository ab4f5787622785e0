package dev.millrace.job.train.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Reason;
import dev.millrace.snapshot.Quality;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers committed snapshots in a model registry with MLflow's REST API (2.0): a model version
 * each, whose source is the archive and whose tags tell its lineage; the alias {@value #ALIAS}
 * names the one to serve.
 *
 * <p>Who we are is read from the environment of the process, as MLflow's own clients do: {@code
 * MLFLOW_TRACKING_TOKEN}, or {@code MLFLOW_TRACKING_USERNAME} and {@code MLFLOW_TRACKING_PASSWORD}.
 */
public final class MlflowRegistry implements ReleaseListener {

  /** Of the version to serve. MLflow itself reserves {@code latest}. */
  static final String ALIAS = "serving";

  private static final String VERSION_TAG = "millrace.version";

  private static final long serialVersionUID = 1;

  private static final Logger LOG = LoggerFactory.getLogger(MlflowRegistry.class);
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final JsonMapper JSON = new JsonMapper();

  /** MLflow's limit for a tag's value, in characters. */
  private static final int LONGEST_TAG = 5000;

  private final String url;
  private final String model;

  private transient HttpClient client;
  private transient boolean isKnown;

  /**
   * @param url of the server, such as {@code http://mlflow:5000}
   * @param model name that versions are registered under
   */
  public MlflowRegistry(String url, String model) {
    this.url = url.replaceAll("/+$", "");
    this.model = model;
  }

  @Override
  public void released(SnapshotDescription snapshot, SnapshotStore store) {
    // Only what stays is registered.
  }

  @Override
  public void committed(SnapshotDescription snapshot, SnapshotStore store, boolean served)
      throws IOException {
    if (!isKnown) {
      createModel();
      isKnown = true;
    }
    ObjectNode request = JSON.createObjectNode();
    request.put("name", model);
    request.put("source", store.locate(snapshot.archive()));
    request.put(
        "description",
        String.format(
            Locale.ROOT,
            "Millrace model %s, learned from %,d records",
            snapshot.version(),
            snapshot.learned()));
    ArrayNode tags = request.putArray("tags");
    tags(snapshot).forEach((key, value) -> tags.addObject().put("key", key).put("value", value));
    JsonNode created = require(post("model-versions/create", request), "model-versions/create");
    String version = created.at("/model_version/version").asText();
    if (served) {
      serve(version);
    }
    LOG.info("Model {} is version {} of {} at {}", snapshot.version(), version, model, url);
  }

  /**
   * Has the alias name the version that a model was registered as.
   *
   * @throws IOException if it wasn't, or the registry can't be asked
   */
  public void serve(ModelVersion registered) throws IOException {
    serve(
        find(registered)
            .orElseThrow(
                () ->
                    new IOException(
                        "%s has no version of '%s' with the tag %s '%s'"
                            .formatted(this, model, VERSION_TAG, registered))));
  }

  private void serve(String version) throws IOException {
    String path = "registered-models/alias";
    ObjectNode alias = JSON.createObjectNode();
    alias.put("name", model).put("alias", ALIAS).put("version", version);
    require(post(path, alias), path);
  }

  private Optional<String> find(ModelVersion registered) throws IOException {
    String path = "model-versions/search";
    String page = "";
    do {
      String query =
          "?filter=%s&max_results=1000&page_token=%s"
              .formatted(encoded("name='%s'".formatted(model.replace("'", "\\'"))), encoded(page));
      JsonNode found = require(send(request(path + query).GET()), path);
      for (JsonNode version : found.path("model_versions")) {
        for (JsonNode tag : version.path("tags")) {
          if (tag.path("key").asText().equals(VERSION_TAG)
              && tag.path("value").asText().equals(registered.toString())) {
            return Optional.of(version.path("version").asText());
          }
        }
      }
      page = found.path("next_page_token").asText();
    } while (!page.isEmpty());
    return Optional.empty();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private void createModel() throws IOException {
    String path = "registered-models/create";
    HttpResponse<String> response = post(path, JSON.createObjectNode().put("name", model));
    boolean isThere = response.body().contains("RESOURCE_ALREADY_EXISTS");
    if (!isThere) {
      require(response, path);
    }
  }

  private static Map<String, String> tags(SnapshotDescription snapshot)
      throws JsonProcessingException {
    Map<String, String> tags = new TreeMap<>();
    tags.put(VERSION_TAG, snapshot.version().toString());
    tags.put("millrace.software", snapshot.millrace());
    tags.put("millrace.configuration-hash", snapshot.configurationHash());
    tags.put("millrace.created", snapshot.created().toString());
    tags.put("millrace.checkpoint", String.valueOf(snapshot.checkpoint()));
    tags.put("millrace.moving-average", Boolean.toString(snapshot.movingAverage()));
    tags.put("millrace.learned", Long.toString(snapshot.learned()));
    String ledger = JSON.writeValueAsString(snapshot.ledger());
    if (ledger.length() <= LONGEST_TAG) {
      tags.put("millrace.ledger", ledger);
    }
    if (snapshot.parent() != null) {
      tags.put("millrace.parent", snapshot.parent().source());
      tags.put("millrace.parent-sha256", snapshot.parent().sha256());
    }
    addMeasures(tags, "prequential", snapshot.prequential());
    addMeasures(tags, "holdout", snapshot.holdOut());
    return tags;
  }

  private static void addMeasures(Map<String, String> tags, String of, Quality quality) {
    if (quality != null) {
      add(tags, of + ".accuracy", quality.accuracy());
      add(tags, of + ".loss", quality.loss());
      add(tags, of + ".mae", quality.meanAbsoluteError());
      add(tags, of + ".rmse", quality.rootMeanSquaredError());
    }
  }

  private static void add(Map<String, String> tags, String key, Double value) {
    if (value != null) {
      tags.put(key, value.toString());
    }
  }

  private HttpResponse<String> post(String path, ObjectNode body) throws IOException {
    return send(request(path).POST(HttpRequest.BodyPublishers.ofString(body.toString())));
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + "/api/2.0/mlflow/" + path))
            .timeout(LIMIT)
            .header("Content-Type", "application/json");
    authorization(System.getenv()).ifPresent(value -> request.header("Authorization", value));
    return request;
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    if (client == null) {
      client = HttpClient.newBuilder().connectTimeout(LIMIT).build();
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IOException(
          "The registry at %s can't be reached: %s; check the registry's URL"
              .formatted(url, Reason.of(e)),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while waiting for the registry at " + url, e);
    }
  }

  /**
   * The header that authorizes requests, from the environment; empty where it has no credentials.
   */
  static Optional<String> authorization(Map<String, String> environment) {
    String token = environment.get("MLFLOW_TRACKING_TOKEN");
    String user = environment.get("MLFLOW_TRACKING_USERNAME");
    if (token != null) {
      return Optional.of("Bearer " + token);
    }
    if (user == null) {
      return Optional.empty();
    }
    String pair = user + ":" + environment.getOrDefault("MLFLOW_TRACKING_PASSWORD", "");
    return Optional.of(
        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
  }

  private JsonNode require(HttpResponse<String> response, String path) throws IOException {
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          "The registry at %s answered %s with %s: %s"
              .formatted(url, path, response.statusCode(), response.body()));
    }
    return JSON.readTree(response.body());
  }

  @Override
  public void close() {
    // A client of the JDK ends with its last use.
  }

  @Override
  public String toString() {
    return "the registry at " + url;
  }
}
