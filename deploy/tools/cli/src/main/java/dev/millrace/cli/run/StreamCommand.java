package dev.millrace.cli.run;

import dev.millrace.cli.console.JobOptionsCommand;
import dev.millrace.cli.console.PositiveNumber;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.console.WorkDirectory;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command whose job runs until its input ends or a person stops it. */
abstract class StreamCommand extends JobOptionsCommand {

  @Mixin private RunArguments run;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description =
          "Replicas or scorers that share the input. Default: as many as processors; 1 with the preset streaming.")
  private Integer parallelism;

  @Mixin private ResumeArguments resume;

  public final RunArguments run() {
    return run;
  }

  /**
   * Returns the parallelism, at least 1; nothing where none was given.
   *
   * @throws picocli.CommandLine.ParameterException if another number was given
   */
  public final OptionalInt givenParallelism() {
    if (parallelism == null) {
      return OptionalInt.empty();
    }
    PositiveNumber.require(command(), "--parallelism", parallelism);
    return OptionalInt.of(parallelism);
  }

  /** Returns the default of the parallelism. */
  static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  public final ResumeArguments resume() {
    return resume;
  }

  /**
   * Stops a job, with a savepoint where it takes checkpoints.
   *
   * @return where the savepoint is
   */
  public static Optional<String> stop(
      LocalJob job, Duration checkpointInterval, WorkDirectory work, Screen screen)
      throws InterruptedException {
    if (checkpointInterval.isZero()) {
      // Without checkpoints Flink doesn't align savepoints either: they couldn't be used.
      screen.say("Stopping without a savepoint, because execution.checkpointing.interval is 0 …");
      job.cancel();
      return Optional.empty();
    }
    screen.say("Stopping with a savepoint …");
    return Optional.of(job.stop(work.savepoints()));
  }
}
