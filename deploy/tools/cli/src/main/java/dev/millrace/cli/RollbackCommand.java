package dev.millrace.cli;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.JobOptionsCommand;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.console.StoreWait;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.train.options.MlflowOptions;
import dev.millrace.job.train.publish.ModelTopicListener;
import dev.millrace.job.train.publish.mlflow.MlflowRegistry;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.Rollback;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Serves an older model again. */
@Command(
    name = "rollback",
    header = "Puts an older published model back, and holds it.",
    description = {
      "",
      "  millrace rollback 2.1500 --snapshot.directory s3://bucket/models",
      "  millrace rollback 2.1500 --config train.yaml",
      "  millrace rollback --release --config train.yaml",
      "",
      "The job still trains and publishes, but what it publishes isn't served until"
          + " --release.",
      "With snapshot.topic the model goes to that topic, too, and with mlflow.url its alias"
          + " names",
      "the committed one.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
final class RollbackCommand extends JobOptionsCommand {

  @Parameters(
      arity = "0..1",
      paramLabel = "VERSION",
      description = "Version of the model, as in latest.json.")
  private String version;

  @Option(names = "--release", description = "Serves the newest model again, and later ones.")
  private boolean release;

  @Override
  public Integer call() throws IOException {
    if (release == (version != null)) {
      throw new ParameterException(
          command().commandLine(), "Give either the version of a model, or --release");
    }
    ModelVersion target = version == null ? null : parse(version);
    Configuration options = options();
    FileSystems.initialize();
    String directory = options.get(SnapshotOptions.DIRECTORY);
    SnapshotStore store = SnapshotPlace.of(directory).open();
    Rollback rollback = new Rollback(store);
    SnapshotDescription served =
        StoreWait.during(
            directory,
            command().commandLine().getErr(),
            () -> target == null ? rollback.release() : rollback.to(target));
    // Before others are told of it: one that can't be reached doesn't undo what has been done.
    Screen.of(command().commandLine().getOut())
        .say(
            "Model %s of %s is served%s"
                .formatted(
                    served.version(),
                    store.locate(""),
                    release ? ", and later ones as they come" : " until --release"));
    if (options.contains(SnapshotOptions.TOPIC)) {
      sendToTopic(options, store);
    }
    if (options.contains(MlflowOptions.URL)) {
      moveAlias(options, store);
    }
    return 0;
  }

  private Configuration options() {
    Configuration options = jobOptions();
    if (!options.contains(SnapshotOptions.DIRECTORY)) {
      throw new ParameterException(
          command().commandLine(), "snapshot.directory is missing; give it, or the job's --config");
    }
    if (options.contains(MlflowOptions.URL) && !options.contains(MlflowOptions.MODEL)) {
      throw new ParameterException(
          command().commandLine(), "mlflow.model is missing; mlflow.url needs it");
    }
    return options;
  }

  private static void sendToTopic(Configuration options, SnapshotStore store) throws IOException {
    try (ModelTopicListener topic =
        ModelTopicListener.besideJob(
            KafkaOptions.cluster(options), options.get(SnapshotOptions.TOPIC))) {
      tell(store, Pointer.LATEST, served -> topic.released(served, store));
    }
  }

  private static void moveAlias(Configuration options, SnapshotStore store) throws IOException {
    MlflowRegistry registry =
        new MlflowRegistry(
            options.get(MlflowOptions.URL),
            options.get(MlflowOptions.MODEL),
            SnapshotPlace.of(options.get(SnapshotOptions.DIRECTORY)));
    tell(store, Pointer.COMMITTED, served -> registry.served(served.version()));
  }

  private interface Telling {
    void tell(SnapshotDescription served) throws IOException;
  }

  /** Tells until nothing has changed meanwhile: the job publishes, too, once a model is let go. */
  private static void tell(SnapshotStore store, String pointer, Telling telling)
      throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(store);
    ModelVersion told = null;
    for (Optional<SnapshotDescription> served = catalog.described(pointer);
        served.isPresent() && !served.get().version().equals(told);
        served = catalog.described(pointer)) {
      telling.tell(served.get());
      told = served.get().version();
    }
  }

  private ModelVersion parse(String text) {
    try {
      return ModelVersion.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command().commandLine(), e.getMessage());
    }
  }
}
