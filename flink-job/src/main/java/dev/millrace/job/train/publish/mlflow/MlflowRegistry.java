package dev.millrace.job.train.publish.mlflow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.train.publish.ReleaseListener;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.Quality;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers committed snapshots in a model registry with MLflow's REST API (2.0): a model version
 * each, whose source is a directory that MLflow loads, or one with the archive where there can't be
 * one, and whose tags tell its lineage; the alias {@value #ALIAS} names the one to serve. Each
 * version belongs to the job's {@linkplain MlflowRun run}.
 *
 * <p>What the registry didn't take is tried again with the next one, as long as its archive is
 * there. Whether it has got there all the same is asked first, so that none is there twice.
 *
 * <p>Who we are is read from the environment of the process, as MLflow's own clients do: {@code
 * MLFLOW_TRACKING_TOKEN}, or {@code MLFLOW_TRACKING_USERNAME} and {@code MLFLOW_TRACKING_PASSWORD}.
 */
public final class MlflowRegistry implements ReleaseListener {

  /** The alias of the version to serve. MLflow itself reserves {@code latest}. */
  static final String ALIAS = "serving";

  private static final String VERSION_TAG = "millrace.version";

  private static final long serialVersionUID = 1;

  private static final Logger LOG = LoggerFactory.getLogger(MlflowRegistry.class);
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final JsonMapper JSON = new JsonMapper();

  /** MLflow's limit for a tag's value, in characters. */
  private static final int LONGEST_TAG = 5000;

  /** Versions that one answer tells of. */
  private static final int PAGE = 200;

  private static final int MOST_WAITING = 100;

  private final String url;
  private final String model;
  private final SnapshotPlace place;

  /** Tells the job from others: all its attempts find their run by it. */
  private final String job = UUID.randomUUID().toString();

  private transient MlflowClient client;
  private transient LoadableModels loadable;
  private transient boolean isKnown;

  /** Null before the first model. */
  private transient MlflowRun run;

  /** What isn't registered yet, oldest first; null before the first. */
  private transient Deque<Waiting> waiting;

  /** The newest version that this process has registered, and its number there. */
  private transient ModelVersion newest;

  private transient String newestNumber;

  /**
   * A snapshot that isn't registered.
   *
   * @param again whether it may be, all the same
   */
  private record Waiting(SnapshotDescription snapshot, boolean again) {}

  /**
   * @param url of the server, such as {@code http://mlflow:5000}
   * @param model name that versions are registered under, and of the experiment
   * @param place that models are published to
   */
  public MlflowRegistry(String url, String model, SnapshotPlace place) {
    this.url = url.replaceAll("/+$", "");
    this.model = model;
    this.place = place;
  }

  @Override
  public void released(SnapshotDescription snapshot, SnapshotStore store) {
    // Only what stays is registered.
  }

  @Override
  public void committed(SnapshotDescription snapshot, SnapshotStore store, boolean again)
      throws IOException {
    keep(new Waiting(snapshot, again));
    IOException failure = null;
    for (int left = waiting.size(); left > 0; left--) {
      Waiting next = waiting.remove();
      try {
        register(next, store);
      } catch (MlflowClient.UnreachableException e) {
        waiting.addFirst(new Waiting(next.snapshot(), true));
        throw e;
      } catch (IOException e) {
        waiting.add(new Waiting(next.snapshot(), true));
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Has a model wait again that waited when the attempt ended, for the next one: a registry that is
   * still down holds up one request, not one for each.
   */
  @Override
  public void committedBefore(SnapshotDescription snapshot) {
    keep(new Waiting(snapshot, true));
  }

  private void keep(Waiting one) {
    if (waiting == null) {
      waiting = new ArrayDeque<>();
    }
    waiting.add(one);
    if (waiting.size() > MOST_WAITING) {
      waiting.remove();
    }
  }

  private void register(Waiting next, SnapshotStore store) throws IOException {
    SnapshotDescription snapshot = next.snapshot();
    boolean isGone = new SnapshotCatalog(store).find(snapshot.version()).isEmpty();
    if (isGone && next.again()) {
      LOG.warn("Model {} isn't registered: it has been deleted meanwhile", snapshot.version());
      return;
    }
    if (!isKnown) {
      client()
          .postUnless(
              "RESOURCE_ALREADY_EXISTS",
              "registered-models/create",
              JSON.createObjectNode().put("name", model));
      isKnown = true;
    }
    if (next.again() && find(snapshot.version()).isPresent()) {
      return;
    }
    if (run == null) {
      run = MlflowRun.open(client(), model, job, snapshot);
      loadable = new LoadableModels(place);
    }
    run.log(snapshot);
    newestNumber = create(snapshot, loadable.write(snapshot, store));
    newest = snapshot.version();
    LOG.info("Model {} is version {} of {} at {}", newest, newestNumber, model, url);
  }

  private String create(SnapshotDescription snapshot, String source) throws IOException {
    ObjectNode request = JSON.createObjectNode();
    request.put("name", model);
    request.put("source", source);
    request.put("run_id", run.id());
    request.put(
        "description",
        String.format(
            Locale.ROOT,
            "Millrace model %s, learned from %,d records",
            snapshot.version(),
            snapshot.learned()));
    ArrayNode tags = request.putArray("tags");
    tags(snapshot).forEach((key, value) -> tags.addObject().put("key", key).put("value", value));
    return client().post("model-versions/create", request).at("/model_version/version").asText();
  }

  /**
   * Has the alias name the version that a model was registered as.
   *
   * @throws IOException if it wasn't, or the registry can't be asked
   */
  @Override
  public void served(ModelVersion committed) throws IOException {
    String number =
        committed.equals(newest)
            ? newestNumber
            : find(committed)
                .orElseThrow(
                    () ->
                        new IOException(
                            "%s has no version of '%s' with the tag %s '%s'"
                                .formatted(this, model, VERSION_TAG, committed)));
    ObjectNode alias = JSON.createObjectNode();
    alias.put("name", model).put("alias", ALIAS).put("version", number);
    client().post("registered-models/alias", alias);
  }

  private Optional<String> find(ModelVersion registered) throws IOException {
    String path = "model-versions/search";
    String page = "";
    do {
      String query =
          "?filter=%s&max_results=%s&page_token=%s"
              .formatted(
                  encoded("name='%s'".formatted(model.replace("'", "\\'"))), PAGE, encoded(page));
      JsonNode found = client().get(path, query);
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
      add(tags, of + ".auc", quality.auc());
      add(tags, of + ".normalizedEntropy", quality.normalizedEntropy());
      add(tags, of + ".calibrationRatio", quality.calibrationRatio());
      add(tags, of + ".mae", quality.meanAbsoluteError());
      add(tags, of + ".rmse", quality.rootMeanSquaredError());
    }
  }

  private static void add(Map<String, String> tags, String key, Double value) {
    if (value != null) {
      tags.put(key, value.toString());
    }
  }

  private MlflowClient client() {
    if (client == null) {
      client = new MlflowClient(url, System.getenv(), LIMIT);
    }
    return client;
  }

  @Override
  public void ended(boolean finished) throws IOException {
    if (run != null) {
      run.end(finished);
    }
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
