package dev.millrace.job.options;

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

  static final OptionGroup GROUP =
      new OptionGroup(
          "Registry",
          "A registry that is down never keeps models from being trained and published.",
          List.of(
              Setting.of(
                  URL,
                  Range.text("an http or https URL without user and password", Texts::isHttpUrl)),
              Setting.of(MODEL, Range.text("a model's name"))));

  private RegistryOptions() {}
}
