package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.CheckpointConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A program that sets checkpoints behind training fails at once, however often it may restart. */
class LateCheckpointsIT {

  @TempDir Path directory;

  @ParameterizedTest
  @MethodSource("changes")
  void checkpointsAreSetBeforeTraining(Consumer<CheckpointConfig> change) throws Exception {
    StreamExecutionEnvironment environment = ApiJob.environment(1);
    Millrace.train(
        environment,
        new NumberSequenceSource(0, 9),
        ApiJob::map,
        ApiJob.options(directory, "sync").build());

    change.accept(environment.getCheckpointConfig());

    assertThatThrownBy(environment::execute)
        .hasStackTraceContaining("set them before Millrace.train");
  }

  static Stream<Named<Consumer<CheckpointConfig>>> changes() {
    return Stream.of(
        Named.of("off", CheckpointConfig::disableCheckpointing),
        Named.of(
            "unaligned",
            checkpoints -> {
              checkpoints.enableUnalignedCheckpoints();
              checkpoints.setForceUnalignedCheckpoints(true);
            }),
        Named.of(
            "at least once",
            checkpoints ->
                checkpoints.setCheckpointingConsistencyMode(CheckpointingMode.AT_LEAST_ONCE)));
  }
}
