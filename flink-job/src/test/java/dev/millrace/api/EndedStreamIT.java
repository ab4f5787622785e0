package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.snapshot.testing.LedgerCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints complete while some subtasks of a stream have ended, and the job goes on of them. */
class EndedStreamIT {

  private static final int RECORDS = 4_000;
  private static final int QUICK = RECORDS / 2;
  private static final int CHECKPOINTS = 4;

  /** The last records of the slow half take a minute, if need be. */
  private static final int LAST = 100;

  private static final Duration BRIEFLY = Duration.ofMillis(5);
  private static final Duration LONG = Duration.ofMillis(600);

  /** Functions are copied, and these aren't. */
  private static final AtomicBoolean QUICK_HAVE_ENDED = new AtomicBoolean();

  private static final AtomicInteger COMPLETED = new AtomicInteger();
  private static final AtomicInteger LEFT = new AtomicInteger();
  private static final AtomicBoolean FAILED = new AtomicBoolean();

  @TempDir Path directory;

  @Test
  void checkpointsCompleteAfterASubtaskHasEnded() throws Exception {
    Path models = directory.resolve("models");
    StreamExecutionEnvironment environment = ApiJob.environment(2);
    environment.enableCheckpointing(200);
    Millrace.train(
        environment
            .fromSource(
                new NumberSequenceSource(0, RECORDS - 1),
                WatermarkStrategy.noWatermarks(),
                "numbers")
            .map(new SlowHalf()),
        (number, to) -> {
          if (number == QUICK - 1) {
            QUICK_HAVE_ENDED.set(true);
          }
          ApiJob.map(number, to);
        },
        ApiJob.options(models, "overlap").build());

    environment.execute();

    assertThat(LEFT).as("records when enough checkpoints had completed").hasPositiveValue();
    assertThat(FAILED).as("the fault has been").isTrue();
    assertThat(ApiJob.description(models).version().generation()).as("restarts").isPositive();
    assertThat(
            LedgerCheck.requirePrefix(ApiJob.description(models), "stream").values().stream()
                .mapToLong(Long::longValue)
                .sum())
        .isEqualTo(RECORDS);
  }

  /** Slow until checkpoints have completed without the other half; then it fails, once. */
  private static final class SlowHalf extends RichMapFunction<Long, Long>
      implements CheckpointListener {

    private static final long serialVersionUID = 1;

    @Override
    public Long map(Long number) {
      if (number >= QUICK) {
        if (COMPLETED.get() < CHECKPOINTS) {
          LockSupport.parkNanos((number < RECORDS - LAST ? BRIEFLY : LONG).toNanos());
        } else if (LEFT.compareAndSet(0, (int) (RECORDS - 1 - number))
            && FAILED.compareAndSet(false, true)) {
          throw new IllegalStateException("A fault after a subtask has ended");
        }
      }
      return number;
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
      if (QUICK_HAVE_ENDED.get()) {
        COMPLETED.incrementAndGet();
      }
    }
  }
}
