package dev.millrace.cli;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.EndpointArguments;
import dev.millrace.cli.console.EngineFetch;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.JobOptionsCommand;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.job.common.DeviceSetup;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.RowsOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.score.setup.ScoringSetup;
import dev.millrace.job.serve.PredictionServer;
import dev.millrace.job.serve.ServerSettings;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.UnusableEngineException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Answers requests over HTTP with the newest published model. */
@Command(
    name = "serve",
    header = "Answers requests over HTTP, with the newest published model.",
    description = {
      "",
      "Speaks the Open Inference Protocol (KServe's version 2) as JSON, and as gRPC if asked to."
          + " Follows models as score does, and takes each new one without a pause, until Ctrl-C."
          + " Where they are, which of them are served (scoring.serve) and how Kafka is reached are"
          + " options of the job:",
      "  millrace serve --scoring.models /mnt/models",
      "  millrace serve --config score.yaml --host 0.0.0.0 --token-file token",
      "Without scoring.models or scoring.models-topic it serves the models of millrace train.",
      "docs/guides/score-and-serve.md explains more.",
      ""
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
final class ServeCommand extends JobOptionsCommand {

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "model",
      description = "What clients call the model by. Default: ${DEFAULT-VALUE}.")
  private String name;

  @Mixin private EndpointArguments endpoint;
  @Mixin private ServingArguments serving;

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      defaultValue = "millrace-work",
      description = "Holds every file that is written. Default: ./${DEFAULT-VALUE}.")
  private Path workDirectory;

  @Override
  public Integer call() throws Exception {
    if (!name.matches("[A-Za-z0-9._-]+")) {
      throw new InvalidOptionsException(
          List.of(
              "--name is '%s'; it must be letters, digits, points, underscores and hyphens"
                  .formatted(name)));
    }
    StopSignal signal = StopSignal.install();
    try (WorkDirectory work = WorkDirectory.open(workDirectory, "serve")) {
      ServerSettings settings = settings(work);
      Screen screen = Screen.of(command().commandLine().getOut());
      PredictionServer.Provider provider = provider();
      try (PredictionServer server = signal.during(() -> provider.start(settings))) {
        screen.say(
            "Serving the models of %s at %s/v2/models/%s; the log is %s"
                .formatted(settings.models(), server.address(), name, work.log()));
        server
            .healthAddress()
            .ifPresent(health -> screen.say("Health and metrics are at " + health));
        server.grpcAddress().ifPresent(grpc -> screen.say("gRPC is at " + grpc));
        awaitEither(signal.exitCode(), server.failure());
        screen.say("Stopping; requests in flight are answered …");
      }
      return signal.exitCode().join();
    }
  }

  private ServerSettings settings(WorkDirectory work) {
    Configuration options = jobOptions();
    if (!options.contains(ScoringOptions.MODELS) && !options.contains(SnapshotOptions.DIRECTORY)) {
      options.set(ScoringOptions.MODELS, work.modelsOf("train").toString());
    }
    boolean hasRows = options.contains(RowsOptions.TOPIC) || options.contains(RowsOptions.FILES);
    if (hasRows && !options.contains(RowsOptions.DIRECTORY)) {
      options.set(RowsOptions.DIRECTORY, work.rows().toString());
    }
    requireBrokers(options, ScoringOptions.MODELS_TOPIC);
    requireBrokers(options, RowsOptions.TOPIC);
    FileSystems.initialize();
    EngineFetch.ensure(ScoringSetup.trust(options).engine());
    return new ServerSettings(
        name,
        ScoringSetup.models(options),
        ScoringSetup.POLL_INTERVAL,
        DeviceSetup.request(options, DeviceRequest.Use.SHARED),
        serving.runtime(),
        endpoint.endpoint(),
        serving.batching(),
        serving.limits());
  }

  private static void requireBrokers(Configuration options, ConfigOption<String> topic) {
    if (options.contains(topic) && !options.contains(KafkaOptions.BOOTSTRAP_SERVERS)) {
      throw new InvalidOptionsException(
          List.of(
              "%s is given, and %s is missing; it must be host:port"
                  .formatted(topic.key(), KafkaOptions.BOOTSTRAP_SERVERS.key())));
    }
  }

  private static PredictionServer.Provider provider() {
    return PredictionServer.find()
        .orElseThrow(
            () ->
                new UnusableEngineException(
                    "The server isn't on the class path: the jars of opt/serve, which bin/millrace"
                        + " adds for this command. Get that folder back from the distribution;"
                        + " where you start Java yourself, add opt/serve/*"));
  }

  private static void awaitEither(
      CompletableFuture<Integer> signal, CompletableFuture<Void> failure) throws Exception {
    try {
      CompletableFuture.anyOf(signal, failure).get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
