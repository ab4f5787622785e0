package dev.millrace.cli.run;

import dev.millrace.cli.console.Screen;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.submission.Submission;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.flink.configuration.Configuration;

/** A command whose job shows what it has made of records. */
abstract class CountingCommand extends StreamCommand {

  private static final Duration REFRESH = Duration.ofSeconds(1);

  private final String directory;
  private final Submission.Job builder;
  private final Supplier<JobCounts> newCounts;

  /**
   * @param directory below the work directory, for the job's files
   * @param builder adds the job to an environment
   * @param newCounts of a job that starts now
   */
  public CountingCommand(String directory, Submission.Job builder, Supplier<JobCounts> newCounts) {
    this.directory = directory;
    this.builder = builder;
    this.newCounts = newCounts;
  }

  /** Gives a place to what the user has given none. */
  abstract void complete(Configuration options, WorkDirectory work);

  /**
   * Checks the job's options.
   *
   * @throws dev.millrace.job.options.InvalidOptionsException if anything is wrong
   */
  abstract void check(Configuration options, Configuration cluster);

  @Override
  public final Integer call() throws Exception {
    int parallelism = givenParallelism().orElse(processors());
    StopSignal interrupt = StopSignal.install();
    try (WorkDirectory work = WorkDirectory.open(run().workDirectory(), directory)) {
      Configuration options = jobOptions();
      complete(options, work);
      Configuration cluster = FlinkOptions.clusterConfiguration(options);
      check(options, cluster);
      Screen screen = run().screen();
      long start = System.nanoTime();
      LocalJob job =
          interrupt.during(() -> LocalJob.start(builder, options, parallelism, work, resume()));
      job.warnings().forEach(warning -> screen.say("Warning: " + warning));
      JobCounts counts = newCounts.get();
      screen.say("%s; the log is %s".formatted(counts.title(parallelism), work.log()));
      Optional<Integer> signal = watch(counts, job, screen, interrupt.exitCode());
      if (signal.isPresent()) {
        stop(job, CheckpointOptions.interval(options, cluster), work, screen)
            .ifPresent(place -> screen.say("Savepoint:   " + place));
      }
      counts.refresh(job);
      Object summary = counts.summary((System.nanoTime() - start) / 1e9);
      screen.say(summary.toString());
      run().write(summary);
      return signal.orElse(0);
    }
  }

  /** Shows counts until the job ends or a signal comes, and returns the signal's exit code. */
  private Optional<Integer> watch(
      JobCounts counts, LocalJob job, Screen screen, CompletableFuture<Integer> signal)
      throws InterruptedException {
    CompletableFuture<Object> either = CompletableFuture.anyOf(job.end(), signal);
    do {
      counts.refresh(job);
      screen.live(counts.line(), System.nanoTime());
    } while (!JobWatch.isDoneWithin(REFRESH, either));
    screen.keep();
    return JobWatch.outcome(job.end(), signal);
  }
}
