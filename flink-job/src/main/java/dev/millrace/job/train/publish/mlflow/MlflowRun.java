package dev.millrace.job.train.publish.mlflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.snapshot.Quality;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;

/**
 * The run of one job, in an experiment that has the model's name: the job's options are its
 * parameters, and its metrics are measures of the models, whose step is the number of records that
 * the model has learned from.
 *
 * <p>Not thread-safe.
 */
final class MlflowRun {

  /** Names the job, so that an attempt after a failure finds the run of the one before. */
  static final String JOB_TAG = "millrace.job";

  /** MLflow's limits: parameters of one request, and characters of a value. */
  private static final int MOST_PARAMETERS = 100;

  private static final int LONGEST_PARAMETER = 6000;

  private static final JsonMapper JSON = new JsonMapper();

  private final MlflowClient client;
  private final String id;

  private MlflowRun(MlflowClient client, String id) {
    this.client = client;
    this.id = id;
  }

  /**
   * Begins the run, or goes on with it.
   *
   * @param job that it is of
   * @param first model that it has
   */
  static MlflowRun open(
      MlflowClient client, String experiment, String job, SnapshotDescription first)
      throws IOException {
    client.postUnless(
        "RESOURCE_ALREADY_EXISTS",
        "experiments/create",
        JSON.createObjectNode().put("name", experiment));
    String experimentId =
        client
            .get(
                "experiments/get-by-name",
                "?experiment_name=" + URLEncoder.encode(experiment, StandardCharsets.UTF_8))
            .at("/experiment/experiment_id")
            .asText();
    ObjectNode search = JSON.createObjectNode().put("max_results", 1);
    search.putArray("experiment_ids").add(experimentId);
    search.put("filter", "tags.`%s` = '%s'".formatted(JOB_TAG, job));
    JsonNode found = client.post("runs/search", search).at("/runs/0/info/run_id");
    if (!found.isMissingNode()) {
      MlflowRun run = new MlflowRun(client, found.asText());
      run.update(run.request().put("status", "RUNNING"));
      return run;
    }
    ObjectNode creation = JSON.createObjectNode().put("experiment_id", experimentId);
    creation.put("start_time", first.created().toEpochMilli());
    ArrayNode tags = creation.putArray("tags");
    tags.addObject().put("key", JOB_TAG).put("value", job);
    tags.addObject().put("key", "mlflow.source.name").put("value", "millrace");
    MlflowRun run =
        new MlflowRun(client, client.post("runs/create", creation).at("/run/info/run_id").asText());
    run.logParameters(first.configuration());
    return run;
  }

  String id() {
    return id;
  }

  private void logParameters(Map<String, String> options) throws IOException {
    Iterator<Map.Entry<String, String>> left = options.entrySet().iterator();
    while (left.hasNext()) {
      ObjectNode batch = request();
      ArrayNode parameters = batch.putArray("params");
      while (left.hasNext() && parameters.size() < MOST_PARAMETERS) {
        Map.Entry<String, String> option = left.next();
        String value = option.getValue();
        parameters
            .addObject()
            .put("key", option.getKey())
            .put("value", value.substring(0, Math.min(value.length(), LONGEST_PARAMETER)));
      }
      client.post("runs/log-batch", batch);
    }
  }

  /** Adds what is known of a model. The same again has no effect. */
  void log(SnapshotDescription snapshot) throws IOException {
    ObjectNode batch = request();
    ArrayNode metrics = batch.putArray("metrics");
    add(metrics, snapshot, "prequential", snapshot.prequential());
    add(metrics, snapshot, "holdout", snapshot.holdOut());
    add(metrics, snapshot, "round", (double) snapshot.version().round());
    client.post("runs/log-batch", batch);
  }

  private static void add(
      ArrayNode metrics, SnapshotDescription snapshot, String of, Quality quality) {
    if (quality != null) {
      add(metrics, snapshot, of + ".accuracy", quality.accuracy());
      add(metrics, snapshot, of + ".loss", quality.loss());
      add(metrics, snapshot, of + ".auc", quality.auc());
      add(metrics, snapshot, of + ".normalizedEntropy", quality.normalizedEntropy());
      add(metrics, snapshot, of + ".calibrationRatio", quality.calibrationRatio());
      add(metrics, snapshot, of + ".mae", quality.meanAbsoluteError());
      add(metrics, snapshot, of + ".rmse", quality.rootMeanSquaredError());
    }
  }

  private static void add(
      ArrayNode metrics, SnapshotDescription snapshot, String key, Double value) {
    // JSON has no other numbers.
    if (value != null && Double.isFinite(value)) {
      metrics
          .addObject()
          .put("key", key)
          .put("value", value)
          .put("timestamp", snapshot.created().toEpochMilli())
          .put("step", snapshot.learned());
    }
  }

  /** Says that the job has ended. An attempt after a failure opens the run again. */
  void end(boolean finished) throws IOException {
    update(
        request()
            .put("status", finished ? "FINISHED" : "FAILED")
            .put("end_time", System.currentTimeMillis()));
  }

  private void update(ObjectNode change) throws IOException {
    client.post("runs/update", change);
  }

  private ObjectNode request() {
    return JSON.createObjectNode().put("run_id", id);
  }
}
