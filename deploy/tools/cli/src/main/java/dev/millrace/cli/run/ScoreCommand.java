package dev.millrace.cli.run;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.job.ScoringJob;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;

/** Predicts for topics of a broker that is there already. */
@Command(
    name = "score",
    header = "Predicts for a topic of your broker, with the newest published model.",
    description = {
      "",
      "Runs until the input ends (input.bounded) or Ctrl-C, which takes a savepoint to resume"
          + " from. Waits for the first model, and uses each new model as soon as it is published.",
      "",
      "Every option of the job can be given as --key value and wins over the file:",
      "  millrace score --config score.yaml --scoring.batch-size 32",
      "docs/guides/score-and-serve.md explains more; docs/reference/options.md lists all options.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
public final class ScoreCommand extends CountingCommand {

  ScoreCommand() {
    super("score", ScoringJob::build, ScoringCounts::new);
  }

  /** Models are those of millrace train unless a place is given. */
  @Override
  void complete(Configuration options, WorkDirectory work) {
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
  }

  @Override
  void check(Configuration options, Configuration cluster) {
    JobOptions.check(JobKind.SCORING, options, cluster, run().names());
  }
}
