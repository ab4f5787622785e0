package dev.millrace.cli;

import dev.millrace.job.ScoringJob;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.setup.JobOptions;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;

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
final class ScoreCommand extends StreamCommand {

  @Override
  public Integer call() throws Exception {
    int parallelism = parallelism();
    RunArguments run = run();
    StopSignal interrupt = StopSignal.install();
    try (WorkDirectory work = WorkDirectory.open(run.workDirectory(), "score")) {
      Configuration options = options(work);
      Configuration cluster = FlinkOptions.clusterConfiguration(options);
      JobOptions.scoring(options, cluster, run.names());
      Screen screen = run.screen();
      LocalJob running =
          interrupt.during(
              () -> LocalJob.start(ScoringJob::build, options, parallelism, work, savepoint()));
      screen.say("Scoring with %d scorers; the log is %s".formatted(parallelism, work.log()));
      ScoringWatch watch = new ScoringWatch(screen, running);
      Optional<Integer> signal = watch.until(interrupt.exitCode());
      if (signal.isPresent()) {
        stop(running, CheckpointOptions.interval(options, cluster), work, screen)
            .ifPresent(place -> screen.say("Savepoint:   " + place));
      }
      watch.refresh();
      screen.say(watch.summary().toString());
      if (run.summary() != null) {
        watch.summary().write(run.summary());
      }
      return signal.orElse(0);
    }
  }

  /** The user's options; models are those of millrace train unless a place is given. */
  private Configuration options(WorkDirectory work) {
    Configuration options = jobOptions();
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
