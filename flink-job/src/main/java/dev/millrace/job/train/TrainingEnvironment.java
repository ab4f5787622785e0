package dev.millrace.job.train;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** What the protocol depends on in an environment, and what makes it fast. */
public final class TrainingEnvironment {

  /** How an environment is set. */
  public enum SetBy {
    /** A program sets it by calls. */
    PROGRAM,
    /** A session of SQL sets it by statements. */
    SQL;

    private String says(String call, ConfigOption<?> option, Object value) {
      return this == PROGRAM ? "call " + call : "SET '%s' = '%s'".formatted(option.key(), value);
    }
  }

  private TrainingEnvironment() {}

  /** Sets all of it; it wins over the cluster's configuration. */
  public static void prepare(StreamExecutionEnvironment env) {
    // The exchange is a loop, which runs as a stream only, bounded input or not.
    env.setRuntimeMode(RuntimeExecutionMode.STREAMING);
    // Examples are handed along the chain by reference, never copied.
    env.getConfig().enableObjectReuse();
    // Flink reads operator state that isn't compressed byte by byte, each by a system call: of
    // LeNet with Adam, restoring a replica took 9 s on a machine where it now takes 0.3 s.
    env.getConfig().setUseSnapshotCompression(true);
    // Where barriers don't wait for each other a replica could hold rounds that the restored
    // exchange hasn't made, and a checkpoint messages whose payload is in memory.
    env.getCheckpointConfig().setCheckpointingConsistencyMode(CheckpointingMode.EXACTLY_ONCE);
    env.getCheckpointConfig().enableUnalignedCheckpoints(false);
  }

  /**
   * Returns what an environment has to set for the protocol to hold, a sentence each; none where it
   * does.
   *
   * @param bounded whether all of the source's records are there
   * @param by how whoever uses the environment sets it
   */
  public static List<String> problems(StreamExecutionEnvironment env, boolean bounded, SetBy by) {
    ReadableConfig flink = env.getConfiguration();
    List<String> problems = new ArrayList<>();
    RuntimeExecutionMode mode = flink.get(ExecutionOptions.RUNTIME_MODE);
    if (mode == RuntimeExecutionMode.BATCH || (mode == RuntimeExecutionMode.AUTOMATIC && bounded)) {
      problems.add(
          "%s is '%s', and training is a loop, which runs as a stream only: %s"
              .formatted(
                  ExecutionOptions.RUNTIME_MODE.key(),
                  mode,
                  by.says(
                      "setRuntimeMode(STREAMING)",
                      ExecutionOptions.RUNTIME_MODE,
                      RuntimeExecutionMode.STREAMING)));
    }
    if (!env.isChainingEnabled()) {
      problems.add(
          "Operator chaining is disabled, and a replica holds back the source that it is chained to:"
              + " leave it enabled; disableChaining() of single operators may stay");
    }
    if (env.getCheckpointConfig().isCheckpointingEnabled()) {
      if (env.getCheckpointConfig().getCheckpointingConsistencyMode()
          != CheckpointingMode.EXACTLY_ONCE) {
        problems.add(
            "Checkpoints are at-least-once, and a replica could hold rounds that the restored exchange"
                + " hasn't made: "
                + by.says(
                    "getCheckpointConfig().setCheckpointingConsistencyMode(EXACTLY_ONCE)",
                    CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE,
                    CheckpointingMode.EXACTLY_ONCE));
      }
      if (flink.get(CheckpointingOptions.ENABLE_UNALIGNED)) {
        problems.add(
            "%s is 'true', and a checkpoint would hold messages whose payload is in memory: "
                    .formatted(CheckpointingOptions.ENABLE_UNALIGNED.key())
                + by.says(
                    "getCheckpointConfig().enableUnalignedCheckpoints(false)",
                    CheckpointingOptions.ENABLE_UNALIGNED,
                    false));
      }
    }
    return problems;
  }

  /** Returns what works and is slow, a sentence each. */
  public static List<String> advice(StreamExecutionEnvironment env) {
    List<String> advice = new ArrayList<>();
    if (!env.getConfig().isObjectReuseEnabled()) {
      advice.add(
          "Object reuse is off, so each example is copied between source and replica:"
              + " getConfig().enableObjectReuse() saves that, if the job's other functions allow it");
    }
    if (!env.getConfig().isUseSnapshotCompression()) {
      advice.add(
          "Snapshot compression is off, and Flink restores large operator state slowly then:"
              + " getConfig().setUseSnapshotCompression(true)");
    }
    return advice;
  }
}
