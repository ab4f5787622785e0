package dev.millrace.job.train;

import dev.millrace.exchange.flink.replica.InitialModelSource;
import dev.millrace.model.InitialModel;
import dev.millrace.model.io.Reason;
import dev.millrace.model.io.TemporaryFiles;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.JobListener;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.InstantiationUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The model that a new job starts from, in Flink's distributed cache: a file that goes to the
 * cluster once, and from there to each process of replicas. As a part of the job's graph it would
 * go with every task, stay in memory as long as that, and be limited to 2 GB.
 */
final class CachedInitialModel implements InitialModelSource {

  private static final long serialVersionUID = 1;

  private static final Logger LOG = LoggerFactory.getLogger(CachedInitialModel.class);
  private static final String NAME = "initial-model";

  /** The file's name among those that the job has in the cache. */
  private final String name;

  private CachedInitialModel(String name) {
    this.name = name;
  }

  /**
   * Adds a model to a job. Its file is deleted when the job has been submitted.
   *
   * @param prefix tells the models of one job apart; empty for the only one
   */
  static InitialModelSource of(
      InitialModel model, StreamExecutionEnvironment environment, String prefix) {
    String name = prefix.isEmpty() ? NAME : prefix + "-" + NAME;
    Path file = write(model);
    environment.registerCachedFile(file.toUri().toString(), name);
    environment.registerJobListener(new DeletesFile(file));
    return new CachedInitialModel(name);
  }

  private static Path write(InitialModel model) {
    try {
      Path file = TemporaryFiles.file("millrace-" + NAME, null);
      // Where nothing is submitted after all.
      file.toFile().deleteOnExit();
      try (ObjectOutputStream out =
          new ObjectOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
        out.writeObject(model);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The model to start from can't be written into the temporary directory %s: %s"
              .formatted(System.getProperty("java.io.tmpdir"), Reason.of(e)),
          e);
    }
  }

  @Override
  public InitialModel read(RuntimeContext context) throws IOException {
    Path file = context.getDistributedCache().getFile(name).toPath();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return InstantiationUtil.deserializeObject(in, context.getUserCodeClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IOException("The model to start from is of another release of Millrace", e);
    }
  }

  private record DeletesFile(Path file) implements JobListener {

    @Override
    public void onJobSubmitted(JobClient client, Throwable failure) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        LOG.warn("The file {} is no longer needed, and can't be deleted: {}", file, Reason.of(e));
      }
    }

    @Override
    public void onJobExecuted(JobExecutionResult result, Throwable failure) {
      // It was deleted before.
    }
  }
}
