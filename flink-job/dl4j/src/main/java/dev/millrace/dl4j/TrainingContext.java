package dev.millrace.dl4j;

import dev.millrace.dl4j.run.EmbeddedFlink;
import dev.millrace.model.io.TemporaryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Where a program trains: in its own process, on a cluster, or where {@code flink run} has started
 * it. It takes the place of Spark's context, or of none at all.
 *
 * <p>Thread-safe. Close it when nothing is trained any more.
 */
@PublicEvolving
public final class TrainingContext implements AutoCloseable {

  private final Environments environments;
  private final String directoryOrNull;

  private EmbeddedFlink embedded;
  private int slots;
  private Path temporary;

  /** Makes an environment of a configuration; null where it is the embedded one. */
  private interface Environments {

    StreamExecutionEnvironment of(Configuration configuration);

    /** Whether it has the files of this process for sure. */
    default boolean isLocal() {
      return false;
    }

    /** Returns a directory that program and cluster both reach; null where none is known. */
    default String directoryOrNull() {
      return null;
    }
  }

  /** Where {@code flink run} has started the program. */
  private static final class Current implements Environments {

    @Override
    public StreamExecutionEnvironment of(Configuration configuration) {
      return StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    }

    @Override
    public boolean isLocal() {
      return of(new Configuration()) instanceof LocalStreamEnvironment;
    }

    @Override
    public String directoryOrNull() {
      return of(new Configuration())
          .getConfiguration()
          .getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY)
          .orElse(null);
    }
  }

  /**
   * The environment that a program has made.
   *
   * @param given keeps what the program has set
   */
  private record Given(StreamExecutionEnvironment given) implements Environments {

    @Override
    public StreamExecutionEnvironment of(Configuration configuration) {
      Configuration missing = new Configuration(configuration);
      given.getConfiguration().toMap().keySet().forEach(missing::removeKey);
      given.configure(missing);
      return given;
    }

    @Override
    public boolean isLocal() {
      return given instanceof LocalStreamEnvironment;
    }
  }

  private TrainingContext(Environments environmentsOrNull, String directoryOrNull) {
    this.environments = environmentsOrNull;
    this.directoryOrNull = directoryOrNull;
  }

  /** Flink runs in this process, and keeps its files in a temporary directory. */
  public static TrainingContext embedded() {
    return new TrainingContext(null, null);
  }

  /**
   * Jobs run on a cluster, by its REST interface.
   *
   * @param jars of the program and what it uses, which the cluster lacks
   */
  public static TrainingContext remote(String host, int port, String... jars) {
    Objects.requireNonNull(host, "host");
    String[] all = jars.clone();
    return new TrainingContext(
        configuration ->
            StreamExecutionEnvironment.createRemoteEnvironment(host, port, configuration, all),
        null);
  }

  /**
   * Jobs run where {@code flink run} has started the program; else in this process. Files are where
   * Flink's {@code execution.checkpointing.dir} is, unless {@link #directory} says another place.
   */
  public static TrainingContext current() {
    return new TrainingContext(new Current(), null);
  }

  /**
   * Returns the same context with its files elsewhere: models, checkpoints, and minibatches on
   * their way to a cluster.
   *
   * @param location a path, or a URI such as {@code s3://bucket/training}, that program and cluster
   *     both reach
   */
  public TrainingContext directory(String location) {
    return new TrainingContext(environments, Objects.requireNonNull(location, "location"));
  }

  /** Returns a context whose files are where those of this one are, for one job. */
  TrainingContext around(StreamExecutionEnvironment given) {
    return new TrainingContext(new Given(given), directoryOrNull);
  }

  /** Whether tasks run in this process. For the packages of Millrace alone. */
  @Internal
  public boolean isEmbedded() {
    return environments == null;
  }

  /** Returns an environment for one job. For the packages of Millrace alone. */
  @Internal
  public synchronized StreamExecutionEnvironment environment(
      Configuration configuration, int workers) {
    if (environments != null) {
      return environments.of(configuration);
    }
    if (embedded == null || slots < workers) {
      closeEmbedded();
      embedded = EmbeddedFlink.start(workers);
      slots = workers;
    }
    return embedded.environment(configuration);
  }

  /** Returns a place of its own for one job. For the packages of Millrace alone. */
  @Internal
  public synchronized String newDirectory() throws IOException {
    String name = "training-" + UUID.randomUUID();
    if (directoryOrNull != null) {
      return directoryOrNull + "/" + name;
    }
    if (!isEmbedded() && !environments.isLocal()) {
      String known = environments.directoryOrNull();
      if (known != null) {
        return known + "/" + name;
      }
      throw new IllegalStateException(
          "A cluster and this program need a directory that both reach: call"
              + " directory(\"s3://bucket/training\") of the context");
    }
    if (temporary == null) {
      temporary = TemporaryFiles.directory("millrace-");
    }
    return Files.createDirectory(temporary.resolve(name)).toString();
  }

  /** Deletes the place of a job that has ended, where it is one of this process alone. */
  synchronized void discard(String directory) {
    if (temporary != null && Path.of(directory).startsWith(temporary)) {
      org.apache.flink.util.FileUtils.deleteDirectoryQuietly(Path.of(directory).toFile());
    }
  }

  /** Ends what runs in this process, and deletes temporary files, also when it is interrupted. */
  @Override
  public synchronized void close() {
    boolean interrupted = Thread.interrupted();
    try {
      closeEmbedded();
      if (temporary != null) {
        org.apache.flink.util.FileUtils.deleteDirectory(temporary.toFile());
        temporary = null;
      }
    } catch (Exception e) {
      throw new IllegalStateException("Flink can't be ended in this process: " + e, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The files stay: a job that comes has its place already. */
  private void closeEmbedded() {
    if (embedded != null) {
      embedded.close();
      embedded = null;
    }
  }
}
