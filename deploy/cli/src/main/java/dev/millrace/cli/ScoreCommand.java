package dev.millrace.cli;

import dev.millrace.job.ScoringJob;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.JobOptions;
import dev.millrace.job.options.OptionReader;
import dev.millrace.job.options.ScoringOptions;
import dev.millrace.job.options.SnapshotOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** Predicts for topics of a broker that is there already. */
@Command(
    name = "score",
    header = "Predicts for a topic of your broker, with the newest published model.",
    description = {
      "",
      "Runs until the input ends (scoring.bounded) or Ctrl-C, which takes a savepoint to go on"
          + " from. Waits where there is no model yet, and takes each new one as it comes.",
      "",
      "Every option of the job can be given as --key value and wins over the file:",
      "  millrace score --config score.yaml --scoring.batch-size 32",
      "docs/serving.md tells more, and docs/options.md lists all options.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = MillraceCli.Version.class,
    preprocessor = JobOptionWords.class)
final class ScoreCommand implements Callable<Integer> {

  @Option(names = "--config", paramLabel = "FILE", description = "Options of the job, YAML.")
  private Path config;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = "Number of scorers. Default: as many as processors.")
  private int parallelism = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--from",
      paramLabel = "SAVEPOINT",
      description = "State to go on from: a savepoint that an earlier run printed.")
  private String savepoint;

  @Mixin private RunArguments run;

  /** What is no option of the command itself is an option of the job. */
  @Unmatched private final List<String> jobOptions = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    run.requirePositive("--parallelism", parallelism);
    Interrupt interrupt = Interrupt.install();
    try (WorkDirectory work = WorkDirectory.open(run.workDirectory(), "score")) {
      Configuration options = options(work);
      Configuration cluster = FlinkOptions.clusterConfiguration(options);
      JobOptions.scoring(options, cluster, run.names());
      Screen screen = run.screen();
      LocalJob running =
          interrupt.during(
              () -> LocalJob.start(ScoringJob::build, options, parallelism, work, savepoint));
      screen.say("Scoring with %d scorers; the log is %s".formatted(parallelism, work.log()));
      ScoringWatch watch = new ScoringWatch(screen, running);
      Optional<Integer> signal = watch.until(interrupt.exitCode());
      if (signal.isPresent()) {
        stop(running, CheckpointOptions.interval(options, cluster).isZero(), work, screen);
      }
      watch.refresh();
      screen.say(watch.summary().toString());
      if (run.summary() != null) {
        watch.summary().write(run.summary());
      }
      return signal.orElse(0);
    }
  }

  private static void stop(
      LocalJob running, boolean withoutCheckpoints, WorkDirectory work, Screen screen)
      throws InterruptedException {
    if (withoutCheckpoints) {
      screen.say("Stopping without a savepoint, because execution.checkpointing.interval is 0 …");
      running.cancel();
    } else {
      screen.say("Stopping with a savepoint …");
      screen.say("Savepoint:   " + running.stop(work.savepoints()));
    }
  }

  /** The user's options; models are those of millrace train unless a place is given. */
  private Configuration options(WorkDirectory work) {
    Configuration options = OptionReader.read(jobOptions, config);
    JobOptions.checkEach(options, run.names());
    boolean placed =
        options.contains(ScoringOptions.MODELS)
            || options.contains(ScoringOptions.MODELS_TOPIC)
            || options.contains(SnapshotOptions.DIRECTORY);
    if (!placed) {
      options.set(ScoringOptions.MODELS, work.modelsOf("train").toString());
    }
    if (!options.contains(CheckpointOptions.DIRECTORY)
        && !CheckpointOptions.interval(options, FlinkOptions.clusterConfiguration(options))
            .isZero()) {
      options.set(CheckpointOptions.DIRECTORY, work.checkpoints());
    }
    return options;
  }
}
