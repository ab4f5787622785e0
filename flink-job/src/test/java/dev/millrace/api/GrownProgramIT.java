package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.testing.TestEnvironment;
import dev.millrace.model.io.InvalidModelException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrownProgramIT {

  @TempDir Path directory;

  @Test
  void aModelThatWouldGrowFromASavepointIsToldToBeginFromAnArchive() throws Exception {
    StreamExecutionEnvironment environment = ApiJob.environment(1);
    train(environment, options());
    JobClient job = environment.executeAsync();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> job.getJobStatus().get() == JobStatus.RUNNING);
    String savepoint =
        TestEnvironment.stop(
            job, directory.resolve("savepoints"), false, SavepointFormatType.NATIVE);

    StreamExecutionEnvironment resumed = TestEnvironment.local(1, "hashmap", savepoint);

    assertThatThrownBy(
            () ->
                train(
                    resumed,
                    options().model(Model.mlp(8, 4).hidden(16)).option("model.grow", "true")))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("start without the savepoint, and with model.archive");
  }

  private TrainingOptions.Builder options() {
    return ApiJob.options(directory.resolve("models"), "sync");
  }

  private static void train(
      StreamExecutionEnvironment environment, TrainingOptions.Builder options) {
    Millrace.train(
        environment, new NumberSequenceSource(0, 100_000_000), ApiJob::map, options.build());
  }
}
