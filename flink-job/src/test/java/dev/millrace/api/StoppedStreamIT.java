package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream's job that is stopped without drain publishes the savepoint's model, and no later. */
class StoppedStreamIT {

  /** Long enough for many rounds behind the barrier, if any were made. */
  private static final Duration SLOW = Duration.ofSeconds(3);

  /** Functions are copied, and this isn't. */
  private static final AtomicBoolean STOPS = new AtomicBoolean();

  @TempDir Path directory;

  @Test
  void aStopPublishesTheSavepointsModelAndNothingBehind() throws Exception {
    Path models = directory.resolve("models");
    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotStore.directory(models));
    StreamExecutionEnvironment environment = ApiJob.environment(2);
    environment.enableCheckpointing(Duration.ofMinutes(1).toMillis());
    Millrace.train(
        environment
            .fromSource(
                new NumberSequenceSource(0, 100_000_000),
                WatermarkStrategy.noWatermarks(),
                "numbers")
            .map(new SlowSnapshot()),
        (number, to) -> ApiJob.map(number, to),
        ApiJob.options(models, "sync").option("snapshot.rounds", "5").build());
    JobClient job = environment.executeAsync();
    await().atMost(Duration.ofMinutes(1)).until(() -> catalog.versions().size() > 3);

    STOPS.set(true);
    job.stopWithSavepoint(
            false, directory.resolve("savepoints").toString(), SavepointFormatType.NATIVE)
        .get(100, TimeUnit.SECONDS);

    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> job.getJobStatus().get().isGloballyTerminalState());
    assertThat(job.getJobStatus().get()).isEqualTo(JobStatus.FINISHED);
    assertThat(catalog.pointer(Pointer.LATEST))
        .isPresent()
        .isEqualTo(catalog.pointer(Pointer.COMMITTED));
    assertThat(catalog.pointer(Pointer.LATEST).orElseThrow().version())
        .isEqualTo(catalog.versions().last().toString());
  }

  /** Its barrier is on its way while it saves, as is that of an operator with large state. */
  private static final class SlowSnapshot extends RichMapFunction<Long, Long>
      implements CheckpointedFunction {

    private static final long serialVersionUID = 1;

    @Override
    public Long map(Long number) {
      return number;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
      if (STOPS.get()) {
        LockSupport.parkNanos(SLOW.toNanos());
      }
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {
      // It has no state.
    }
  }
}
