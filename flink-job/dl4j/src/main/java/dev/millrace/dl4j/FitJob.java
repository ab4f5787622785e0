package dev.millrace.dl4j;

import dev.millrace.api.Training;
import dev.millrace.api.TrainingOptions;
import dev.millrace.dl4j.run.CacheDirectories;
import dev.millrace.dl4j.run.NetworkCounts;
import dev.millrace.dl4j.run.NetworkState;
import dev.millrace.dl4j.run.News;
import dev.millrace.dl4j.run.NewsLink;
import dev.millrace.job.models.LocatedModel;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.TemporaryFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.deeplearning4j.nn.api.Model;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job that starts from a network, and whose last model the network takes.
 *
 * <p>It runs once. {@link #stop} may come from any thread.
 */
final class FitJob {

  private static final Logger LOG = LoggerFactory.getLogger(FitJob.class);

  private static final String ENGINE = "dl4j";
  private static final Duration CHECKPOINTS = Duration.ofSeconds(10);
  private static final int RESTARTS = 3;
  private static final int RESTARTS_OF_A_CLUSTER = 10;
  private static final long RETRY_MILLIS = 200;

  private final TrainingContext context;
  private final Model network;
  private final RunSettings settings;
  private final News news;

  private volatile JobClient running;
  private volatile boolean stopped;
  private volatile String directory;

  /** Adds training to an environment, from a network that options name. */
  interface Content {

    /**
     * Adds it.
     *
     * @param start archive of the network, which the options name
     * @param options those that each job has; may be added to
     */
    Training<?> addTo(
        StreamExecutionEnvironment environment, Path start, TrainingOptions.Builder options)
        throws Exception;
  }

  /**
   * @param news told of what happens, on the thread that runs the job
   */
  FitJob(TrainingContext context, Model network, RunSettings settings, News news) {
    this.context = context;
    this.network = network;
    this.settings = settings;
    this.news = news;
  }

  /**
   * Runs it to its end.
   *
   * @param repeatable whether it may go on from a checkpoint after a failure
   * @throws ExecutionException with the cause, if it fails for good; the network is as it was
   */
  void run(boolean repeatable, Content content) throws Exception {
    directory = context.newDirectory();
    StreamExecutionEnvironment environment =
        context.environment(flink(repeatable), settings.workers());
    environment.setParallelism(settings.workers());
    String models =
        settings.options().getOrDefault(SnapshotOptions.DIRECTORY.key(), directory + "/models");
    Path start = TemporaryFiles.file("millrace-", ".zip");
    CacheDirectories made = CacheDirectories.before();
    // Listeners may be given models, and their counts, meanwhile.
    int before = NetworkCounts.iterations(network);
    try {
      NetworkState.write(network, start);
      news.begin(models);
      Training<?> training = content.addTo(environment, start, options(start, models));
      training.warnings().forEach(LOG::warn);
      try (NewsLink link = link(training.progress())) {
        running = environment.executeAsync("fit");
        made.submitted();
        if (stopped) {
          stop(running);
        }
        link.open();
        await(running);
      }
      LocatedModel last = LocatedModel.find("the model", models);
      NetworkState.take(network, ModelEngine.named(ENGINE).readArchive(last.archive()));
      last.description()
          .ifPresent(
              description -> {
                NetworkCounts.requireMore(network, before, description.learned());
                news.end(description.version().round());
              });
    } catch (Exception e) {
      news.takeBack();
      throw e;
    } finally {
      Files.delete(start);
      made.delete();
      context.discard(directory);
    }
  }

  /** Ends soon, with what is learned by then. */
  void stop() {
    stopped = true;
    JobClient job = running;
    if (job != null) {
      stop(job);
    }
  }

  private void stop(JobClient job) {
    Thread thread = new Thread(() -> stopSoon(job), "millrace-stop");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Nobody needs the savepoint: the last model is published before it. A job that doesn't run yet,
   * or is being restored, is asked again.
   */
  private void stopSoon(JobClient job) {
    try {
      while (!job.getJobExecutionResult().isDone()) {
        try {
          job.stopWithSavepoint(false, uri(directory) + "/stopped", SavepointFormatType.NATIVE)
              .get();
          return;
        } catch (ExecutionException e) {
          LOG.debug("Training can't be stopped yet", e);
          Thread.sleep(RETRY_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private NewsLink link(DataStream<String> progress) {
    return context.isEmbedded() ? NewsLink.here(progress, news) : NewsLink.fetched(progress, news);
  }

  private Configuration flink(boolean repeatable) {
    Configuration flink = new Configuration();
    flink.set(StateBackendOptions.STATE_BACKEND, "hashmap");
    if (repeatable) {
      flink.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINTS);
      flink.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
      flink.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, uri(directory) + "/checkpoints");
      restarts(flink);
    } else {
      flink.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    }
    return flink;
  }

  /**
   * A process that is lost on a cluster fails a job several times until its slots are known to be
   * gone.
   */
  private void restarts(Configuration flink) {
    if (context.isEmbedded()) {
      flink.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
      flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, RESTARTS);
      flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
    } else {
      flink.set(RestartStrategyOptions.RESTART_STRATEGY, "failure-rate");
      flink.set(
          RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_MAX_FAILURES_PER_INTERVAL,
          RESTARTS_OF_A_CLUSTER);
      flink.set(
          RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_FAILURE_RATE_INTERVAL,
          Duration.ofMinutes(2));
      flink.set(RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_DELAY, Duration.ofSeconds(1));
    }
  }

  private static String uri(String directory) {
    return directory.contains("://") ? directory : Path.of(directory).toUri().toString();
  }

  private TrainingOptions.Builder options(Path start, String models) {
    TrainingOptions.Builder options =
        TrainingOptions.builder()
            .option(ModelOptions.ENGINE.key(), ENGINE)
            .option(ModelOptions.ARCHIVE.key(), start.toString())
            .option(ExchangeOptions.LEARNING_RATE_SCALING.key(), "none")
            .publishTo(models, Duration.ZERO);
    news.options().forEach(options::option);
    return options;
  }

  private void await(JobClient job) throws InterruptedException, ExecutionException {
    CompletableFuture<?> result = job.getJobExecutionResult();
    try {
      news.tellUntil(result);
    } catch (InterruptedException e) {
      job.cancel().get();
      throw e;
    }
    result.get();
  }

  /**
   * Returns what a program is to be thrown.
   *
   * @param failure of {@link #run}
   * @param rootOrNull what has made it fail, where that is known better
   * @param hint behind the message
   */
  static RuntimeException ended(Exception failure, Throwable rootOrNull, String hint) {
    boolean ofJob = failure instanceof ExecutionException;
    if (!ofJob && ExceptionUtils.findThrowable(failure, InterruptedException.class).isPresent()) {
      Thread.currentThread().interrupt();
      return new TrainingFailedException("Training was interrupted", failure);
    }
    if (!ofJob && rootOrNull == null && isOfProgram(failure)) {
      return (RuntimeException) failure;
    }
    Throwable root = rootOrNull == null ? rootOf(failure) : rootOrNull;
    return new TrainingFailedException("Training failed: " + root.getMessage() + hint, root);
  }

  /** Whether the program is to be mended, and nothing has run. */
  private static boolean isOfProgram(Exception failure) {
    return failure instanceof InvalidOptionsException
        || failure instanceof InvalidModelException
        || failure instanceof IllegalArgumentException;
  }

  private static Throwable rootOf(Exception failure) {
    return failure instanceof ExecutionException
        ? ExceptionUtils.stripException(failure.getCause(), Exception.class)
        : failure;
  }
}
