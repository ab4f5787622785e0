package dev.millrace.cli.run;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.job.JoinJob;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;

/** Joins topics of a broker that is there already. */
@Command(
    name = "join",
    header = "Joins features with labels that come later, into a topic to learn from.",
    description = {
      "",
      "Runs until the input ends (input.bounded) or Ctrl-C, which takes a savepoint to resume from."
          + " Readers of committed records see each pair exactly once.",
      "",
      "Every option of the job can be given as --key value and wins over the file:",
      "  millrace join --config join.yaml --join.within 30min",
      "docs/guides/labels-later.md explains more; docs/reference/options.md lists all options.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
public final class JoinCommand extends CountingCommand {

  JoinCommand() {
    super("join", JoinJob::build, JoinCounts::new);
  }

  @Override
  void complete(Configuration options, WorkDirectory work) {
    if (!options.contains(CheckpointOptions.DIRECTORY)) {
      options.set(CheckpointOptions.DIRECTORY, work.checkpoints());
    }
  }

  @Override
  void check(Configuration options, Configuration cluster) {
    JobOptions.check(JobKind.JOINING, options, cluster, run().names());
  }
}
