package dev.millrace.job.common;

import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.SizeText;
import dev.millrace.model.ModelSpec;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Sets checkpoints up in an environment, from checked options. */
public final class CheckpointSetup {

  /** What the JobManager's memory takes of one task, where Flink knows no better place. */
  private static final MemorySize LIMIT_IN_MEMORY = MemorySize.ofMebiBytes(5);

  private CheckpointSetup() {}

  /**
   * Sets checkpoints up for a job with a model in its state.
   *
   * @throws InvalidOptionsException if there is no place that the model's checkpoints would fit in:
   *     each of them would fail, and the job with it
   */
  public static void apply(
      Configuration options, ModelSpec spec, StreamExecutionEnvironment environment) {
    apply(options, environment);
    requireRoom(options, spec, environment.getConfiguration());
  }

  /**
   * Checks that a job's checkpoints have room.
   *
   * @param options of the job, completed
   * @param flink the configuration of the cluster, and of the job
   * @throws InvalidOptionsException if there is no place that they would fit in
   */
  public static void requireRoom(Configuration options, ModelSpec spec, ReadableConfig flink) {
    if (!options.get(CheckpointOptions.INTERVAL).isZero()) {
      requireRoom(spec, flink);
    }
  }

  /** Sets checkpoints up for a job without a model in its state. */
  public static void apply(Configuration options, StreamExecutionEnvironment environment) {
    Duration interval = options.get(CheckpointOptions.INTERVAL);
    if (interval.isZero()) {
      environment.getCheckpointConfig().disableCheckpointing();
      return;
    }
    environment.enableCheckpointing(interval.toMillis());
    options
        .getOptional(CheckpointOptions.DIRECTORY)
        .ifPresent(
            directory ->
                environment.configure(
                    new Configuration()
                        .set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory)));
    keepTheLast(environment);
  }

  /** Flink's default deletes it with a job that fails permanently, and the model with it. */
  private static void keepTheLast(StreamExecutionEnvironment environment) {
    if (!environment
        .getConfiguration()
        .getOptional(CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION)
        .isPresent()) {
      environment
          .getCheckpointConfig()
          .setExternalizedCheckpointRetention(
              ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    }
  }

  private static void requireRoom(ModelSpec spec, ReadableConfig flink) {
    // A replica keeps its values, and those that it compares them with, where they differ.
    MemorySize ofReplica = new MemorySize(2L * Float.BYTES * spec.vectorLength());
    if (ofReplica.compareTo(LIMIT_IN_MEMORY) > 0 && keptInMemory(flink)) {
      throw new InvalidOptionsException(
          List.of(
              ("%s is missing, here and in Flink's configuration: checkpoints would be kept in the"
                      + " JobManager's memory, which takes %s of a task, and a replica of this model"
                      + " has %s. Give a directory that all machines reach, such as"
                      + " s3://bucket/checkpoints")
                  .formatted(
                      CheckpointOptions.DIRECTORY.key(),
                      SizeText.of(LIMIT_IN_MEMORY),
                      SizeText.of(MemorySize.ofMebiBytes(ofReplica.getMebiBytes())))));
    }
  }

  private static boolean keptInMemory(ReadableConfig flink) {
    String storage =
        flink.getOptional(CheckpointingOptions.CHECKPOINT_STORAGE).orElse("jobmanager");
    return storage.equals("jobmanager")
        && flink.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY).isEmpty();
  }
}
