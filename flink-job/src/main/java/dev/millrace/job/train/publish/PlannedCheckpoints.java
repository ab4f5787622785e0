package dev.millrace.job.train.publish;

import dev.millrace.exchange.flink.NonRecoverableException;
import java.io.Serializable;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.CheckpointingMode;

/**
 * Whether a job makes checkpoints, as it was when training was added to it. A program may set them
 * afterwards, and nobody sees that before the job runs.
 */
public record PlannedCheckpoints(boolean enabled) implements Serializable {

  /**
   * Requires that the job's checkpoints are as training was told, and as it needs them.
   *
   * @param job its configuration, as it runs
   * @throws NonRecoverableException if they aren't
   */
  void require(Configuration job) {
    boolean runs = CheckpointingOptions.isCheckpointingEnabled(job);
    if (runs != enabled) {
      throw late(runs ? "were turned on" : "were turned off");
    }
    if (runs && CheckpointingOptions.isUnalignedCheckpointEnabled(job)) {
      throw late("were made unaligned, which training can't restore,");
    }
    if (runs && CheckpointingOptions.getCheckpointingMode(job) != CheckpointingMode.EXACTLY_ONCE) {
      throw late("were made at-least-once, which training can't restore,");
    }
  }

  private static NonRecoverableException late(String what) {
    return new NonRecoverableException(
        new IllegalStateException(
            "Checkpoints %s after training was added to the job; set them before Millrace.train"
                .formatted(what)));
  }
}
