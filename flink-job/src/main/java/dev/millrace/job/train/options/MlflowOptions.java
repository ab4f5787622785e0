package dev.millrace.job.train.options;

import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import dev.millrace.job.options.SnapshotOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Where published models are registered. */
public final class MlflowOptions {

  public static final ConfigOption<String> URL =
      ConfigOptions.key("mlflow.url")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "MLflow server where committed models are registered. Login: MLFLOW_TRACKING_*"
                  + " of TaskManagers.");

  public static final ConfigOption<String> MODEL =
      ConfigOptions.key("mlflow.model")
          .stringType()
          .noDefaultValue()
          .withDescription("Name of the registered model.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "MLflow",
          "A server that is down never stops training.",
          List.of(
              Setting.of(
                  URL,
                  Range.text(
                      "an http or https URL without user and password", MlflowOptions::isHttpUrl)),
              Setting.of(MODEL, Range.text("a model's name"))));

  private MlflowOptions() {}

  /** Names what a registry needs that isn't given, or that it won't take. */
  public static void check(OptionRules rules) {
    if (rules.has(URL) != rules.has(MODEL)) {
      rules.broken("mlflow.url and mlflow.model belong together; give both or neither");
      return;
    }
    if (!rules.has(URL)) {
      return;
    }
    rules.require(SnapshotOptions.GROUP, SnapshotOptions.DIRECTORY);
    if (rules.options().get(CheckpointOptions.INTERVAL).isZero()) {
      rules.broken(
          "execution.checkpointing.interval is '0', and mlflow.url registers what checkpoints have"
              + " committed; set an interval");
    }
    rules
        .options()
        .getOptional(SnapshotOptions.DIRECTORY)
        .filter(directory -> SnapshotPlace.of(directory).local().isPresent())
        .ifPresent(directory -> rules.broken(isPath(directory)));
  }

  /** MLflow answers it with INVALID_PARAMETER_VALUE: any client could read the server's files. */
  private static String isPath(String directory) {
    return ("snapshot.directory is '%s', a path of a machine, and mlflow.url registers where models"
            + " are: MLflow takes no path as the source of a version. Name a URI, such as"
            + " s3://bucket/models, or leave mlflow.url out")
        .formatted(directory);
  }

  /**
   * Says whether a value is a URL without a user: what is in a URL is in logs and messages, too.
   */
  static boolean isHttpUrl(String value) {
    try {
      URI uri = new URI(value);
      return uri.getHost() != null
          && uri.getUserInfo() == null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
