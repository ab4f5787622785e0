package dev.millrace.cli.run;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.EngineFetch;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.PageArguments;
import dev.millrace.cli.console.RunFailedException;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.cli.progress.MetricsTail;
import dev.millrace.job.options.CheckedOptions;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.UsefulParallelism;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.job.train.options.PresetOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Trains on topics of a broker that is there already. */
@Command(
    name = "train",
    header = "Trains a model on topics of your broker.",
    description = {
      "",
      "Runs until the input ends (input.bounded) or Ctrl-C, which takes a savepoint to resume"
          + " from.",
      "",
      "Every option of the job can be given as --key value and wins over the file:",
      "  millrace train --config train.yaml --batch.size 64",
      "docs/reference/options.md lists them all.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
public final class TrainCommand extends StreamCommand {

  @Mixin private PageArguments page;

  @Override
  public Integer call() throws Exception {
    OptionalInt parallelism = givenParallelism();
    page.check();
    RunArguments run = run();
    StopSignal interrupt = StopSignal.install();
    try (WorkDirectory work = WorkDirectory.open(run.workDirectory(), "train")) {
      Configuration options = options(work);
      Configuration cluster = FlinkOptions.clusterConfiguration(options);
      CheckedOptions checked = JobOptions.check(JobKind.TRAINING, options, cluster, run.names());
      EngineFetch.ensure(options);
      Screen screen = run.screen();
      int replicas = replicas(wanted(parallelism, options), checked, screen);
      if (!resume().areGiven()) {
        work.newestState(Instant.EPOCH)
            .ifPresent(
                state ->
                    screen.say("Starting without state; to resume the last run: --from " + state));
      }
      Path metrics = Path.of(options.get(MetricsOptions.FILE));
      try (LivePage live = new LivePage(page, metrics, screen)) {
        JobWatch watch = new JobWatch(screen, new MetricsTail(metrics), OptionalLong.empty());
        LocalJob running =
            interrupt.during(() -> LocalJob.start(options, replicas, work, resume()));
        running.warnings().forEach(warning -> screen.say("Warning: " + warning));
        screen.say("Training with %s replicas; the log is %s".formatted(replicas, work.log()));
        Optional<Integer> signal = watch(watch, running, interrupt, work);
        if (signal.isPresent()) {
          Optional<String> taken =
              stop(running, CheckpointOptions.interval(options, cluster), work, screen);
          watch.refresh();
          screen.keep();
          taken.ifPresent(place -> screen.say("Savepoint:   " + place));
        }
        LatestModel.addTo(
            watch.history(), Path.of(options.get(SnapshotOptions.DIRECTORY)), running.since());
        RunReport report = new RunReport(watch.history(), RunReport.inDeadLetters(options));
        report.show(screen);
        live.keep(screen, work.page());
        run.write(Summary.of(watch.history()));
        return signal.orElse(0);
      }
    }
  }

  /** Returns how many replicas are wanted: one alone learns a time series best. */
  static int wanted(OptionalInt given, Configuration options) {
    return given.orElseGet(() -> PresetOptions.isStreaming(options) ? 1 : processors());
  }

  private static int replicas(int wanted, CheckedOptions options, Screen screen) {
    int useful = UsefulParallelism.of(options);
    if (wanted <= useful) {
      return wanted;
    }
    screen.say(
        ("Replicas: %s, and not %s: one replica reads a partition, or a file of input.history, and"
                + " there are no more. For more, give the topics more partitions")
            .formatted(useful, wanted));
    return useful;
  }

  private static Optional<Integer> watch(
      JobWatch watch, LocalJob running, StopSignal interrupt, WorkDirectory work) throws Exception {
    try {
      return watch.until(running.end(), interrupt.exitCode());
    } catch (RunFailedException e) {
      throw work.newestState(running.since())
          .map(
              state ->
                  new RunFailedException(
                      "%s%nAfter you have fixed that, resume with --from %s"
                          .formatted(e.getMessage(), state),
                      e))
          .orElse(e);
    }
  }

  /** The user's options; what isn't given lies in the work directory. */
  private Configuration options(WorkDirectory work) {
    Configuration options = jobOptions();
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
