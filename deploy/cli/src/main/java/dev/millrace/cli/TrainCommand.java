package dev.millrace.cli;

import dev.millrace.cli.progress.MetricsTail;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.JobOptions;
import dev.millrace.job.options.MetricsOptions;
import dev.millrace.job.options.OptionReader;
import dev.millrace.job.options.SnapshotOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** Trains on topics of a broker that is there already. */
@Command(
    name = "train",
    header = "Trains a model on topics of your broker.",
    description = {
      "",
      "Runs until the input ends (input.bounded) or Ctrl-C, which takes a savepoint to go on from.",
      "",
      "Every option of the job can be given as --key value and wins over the file:",
      "  millrace train --config train.yaml --batch.size 64",
      "docs/options.md lists them all.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = MillraceCli.Version.class,
    preprocessor = JobOptionWords.class)
final class TrainCommand implements Callable<Integer> {

  @Option(names = "--config", paramLabel = "FILE", description = "Options of the job, YAML.")
  private Path config;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = "Number of replicas. Default: as many as processors.")
  private int parallelism = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--from",
      paramLabel = "SAVEPOINT",
      description =
          "State to go on from: a savepoint that an earlier run printed, or a checkpoint of a run"
              + " that was killed.")
  private String savepoint;

  @Mixin private RunArguments run;

  /** What is no option of the command itself is an option of the job. */
  @Unmatched private final List<String> jobOptions = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    run.requirePositive("--parallelism", parallelism);
    Interrupt interrupt = Interrupt.install();
    try (WorkDirectory work = WorkDirectory.open(run.workDirectory(), "train")) {
      Configuration options = options(work);
      Configuration cluster = FlinkOptions.clusterConfiguration(options);
      JobOptions.training(options, cluster, run.names());
      Screen screen = run.screen();
      if (savepoint == null) {
        work.newestState(Instant.EPOCH)
            .ifPresent(
                state -> screen.say("Starting anew; to go on with the last run: --from " + state));
      }
      JobWatch watch =
          new JobWatch(
              screen,
              new MetricsTail(Path.of(options.get(MetricsOptions.FILE))),
              OptionalLong.empty());
      LocalJob running =
          interrupt.during(() -> LocalJob.start(options, parallelism, work, savepoint));
      screen.say("Training with %d replicas; the log is %s".formatted(parallelism, work.log()));
      Optional<Integer> signal = watch(watch, running, interrupt, work);
      if (signal.isPresent() && CheckpointOptions.interval(options, cluster).isZero()) {
        // Without checkpoints Flink doesn't align savepoints either: they couldn't be used.
        screen.say("Stopping without a savepoint, because execution.checkpointing.interval is 0 …");
        running.cancel();
      } else if (signal.isPresent()) {
        screen.say("Stopping with a savepoint …");
        String taken = running.stop(work.savepoints());
        watch.refresh();
        screen.keep();
        screen.say("Savepoint:   " + taken);
      }
      LatestModel.addTo(
          watch.history(), Path.of(options.get(SnapshotOptions.DIRECTORY)), running.since());
      RunReport report = new RunReport(watch.history());
      report.show(screen);
      report.draw(screen, work.curve(), OptionalLong.empty());
      report.write(run.summary());
      return signal.orElse(0);
    }
  }

  private static Optional<Integer> watch(
      JobWatch watch, LocalJob running, Interrupt interrupt, WorkDirectory work) throws Exception {
    try {
      return watch.until(running.end(), interrupt.exitCode());
    } catch (RunFailedException e) {
      throw work.newestState(running.since())
          .map(
              state ->
                  new RunFailedException(
                      "%s%nWhen that is mended, go on with --from %s"
                          .formatted(e.getMessage(), state),
                      e))
          .orElse(e);
    }
  }

  /** The user's options; what isn't given lies in the work directory. */
  private Configuration options(WorkDirectory work) {
    Configuration options = OptionReader.read(jobOptions, config);
    JobOptions.checkEach(options, run.names());
    setIfAbsent(options, MetricsOptions.FILE.key(), work.metrics());
    setIfAbsent(options, SnapshotOptions.DIRECTORY.key(), work.models());
    if (!CheckpointOptions.interval(options, FlinkOptions.clusterConfiguration(options)).isZero()) {
      setIfAbsent(options, CheckpointOptions.DIRECTORY.key(), work.checkpoints());
    }
    return options;
  }

  private static void setIfAbsent(Configuration options, String key, Object value) {
    if (!options.containsKey(key)) {
      options.setString(key, value.toString());
    }
  }
}
