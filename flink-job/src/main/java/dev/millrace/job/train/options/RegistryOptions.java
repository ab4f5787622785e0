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
public final class RegistryOptions {

  public static final ConfigOption<String> URL =
      ConfigOptions.key("registry.url")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A registry with MLflow's REST API, where committed models are registered."
                  + " TaskManagers take the login from their environment: MLFLOW_TRACKING_USERNAME"
                  + " and MLFLOW_TRACKING_PASSWORD, or MLFLOW_TRACKING_TOKEN. Absent: no registry.");

  public static final ConfigOption<String> MODEL =
      ConfigOptions.key("registry.model")
          .stringType()
          .noDefaultValue()
          .withDescription("Name under which versions are registered. Needs registry.url.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Registry",
          "A registry that is down never keeps models from being trained and published.",
          List.of(
              Setting.of(
                  URL,
                  Range.text(
                      "an http or https URL without user and password",
                      RegistryOptions::isHttpUrl)),
              Setting.of(MODEL, Range.text("a model's name"))));

  private RegistryOptions() {}

  /** Names what a registry needs that isn't given, or that it won't take. */
  static void check(OptionRules rules) {
    if (rules.has(URL) != rules.has(MODEL)) {
      rules.broken("registry.url and registry.model belong together; give both or neither");
      return;
    }
    if (!rules.has(URL)) {
      return;
    }
    rules.require(SnapshotOptions.GROUP, SnapshotOptions.DIRECTORY);
    if (rules.options().get(CheckpointOptions.INTERVAL).isZero()) {
      rules.broken(
          "execution.checkpointing.interval is '0', and registry.url registers what checkpoints have"
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
    return ("snapshot.directory is '%s', a path of a machine, and registry.url registers where models"
            + " are: MLflow takes no path as the source of a version. Name a URI, such as"
            + " s3://bucket/models, or leave registry.url out")
        .formatted(directory);
  }

  /** Without a user: what is in a URL is in logs and messages, too. */
  private static boolean isHttpUrl(String value) {
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
