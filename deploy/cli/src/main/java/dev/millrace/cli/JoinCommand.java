package dev.millrace.cli;

import dev.millrace.job.JoinJob;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.setup.JobOptions;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;

/** Joins topics of a broker that is there already. */
@Command(
    name = "join",
    header = "Joins features with labels that come later, into a topic to learn from.",
    description = {
      "",
      "Runs until the input ends (join.bounded) or Ctrl-C, which takes a savepoint to go on from."
          + " Each pair is in the output once, for readers of committed records.",
      "",
      "Every option of the job can be given as --key value and wins over the file:",
      "  millrace join --config join.yaml --join.within 30min",
      "docs/join.md tells more, and docs/options.md lists all options.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = MillraceCli.Version.class,
    preprocessor = JobOptionWords.class)
final class JoinCommand extends StreamCommand {

  @Override
  public Integer call() throws Exception {
    int parallelism = parallelism();
    RunArguments run = run();
    StopSignal interrupt = StopSignal.install();
    try (WorkDirectory work = WorkDirectory.open(run.workDirectory(), "join")) {
      Configuration options = options(work);
      Configuration cluster = FlinkOptions.clusterConfiguration(options);
      JobOptions.joining(options, cluster, run.names());
      Screen screen = run.screen();
      LocalJob running =
          interrupt.during(
              () -> LocalJob.start(JoinJob::build, options, parallelism, work, savepoint()));
      screen.say("Joining in %d parts; the log is %s".formatted(parallelism, work.log()));
      JoinWatch watch = new JoinWatch(screen, running);
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

  /** The user's options; checkpoints lie in the work directory unless a place is given. */
  private Configuration options(WorkDirectory work) {
    Configuration options = jobOptions();
    if (!options.contains(CheckpointOptions.DIRECTORY)) {
      options.set(CheckpointOptions.DIRECTORY, work.checkpoints());
    }
    return options;
  }
}
