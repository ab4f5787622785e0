package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.SeededFaults;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.nio.file.Path;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every record that a window gives is in the model exactly once, with failures at all places. */
class AnyStreamIT {

  private static final int RECORDS = 4_000;
  private static final int FAULTS = 4;

  /** Fewer than come while a round is under way, so that the stream waits, too. */
  private static final int PARKED = 300;

  @TempDir Path directory;

  /** The mapper says which record it is, so the ledger tells a lost one beside a doubled one. */
  @ParameterizedTest
  @ValueSource(strings = {"overlap", "sync"})
  void everyRecordIsInTheModelOnce(String schedule) throws Exception {
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, 12);
    Path models = directory.resolve("models");
    StreamExecutionEnvironment environment = ApiJob.environment(2);

    Millrace.train(
        windows(environment),
        (padded, to) -> {
          to.position("numbers", 0, number(padded));
          ApiJob.map(number(padded), to);
        },
        ApiJob.options(models, schedule).mostParked(PARKED).build(),
        faults);
    environment.execute();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    LedgerCheck.requireAll(ApiJob.description(models), "numbers", RECORDS);
    assertThat(ApiJob.description(models).version().generation())
        .as("restored from checkpoints, seed %d", seed)
        .isPositive();
    assertThat(ApiJob.description(models).prequential().examples())
        .as("examples learned, seed %d", seed)
        .isEqualTo(RECORDS - ApiJob.rejectedOf(RECORDS));
  }

  @Test
  void placesAreSubtasksWhereTheMapperNamesNone() throws Exception {
    Path models = directory.resolve("models");
    StreamExecutionEnvironment environment = ApiJob.environment(2);

    Millrace.train(
        windows(environment),
        (padded, to) -> ApiJob.map(number(padded), to),
        ApiJob.options(models, "overlap").build());
    environment.execute();

    assertThat(
            LedgerCheck.requirePrefix(ApiJob.description(models), "stream").values().stream()
                .mapToLong(Long::longValue)
                .sum())
        .isEqualTo(RECORDS);
  }

  /** Records so long that buffers hold few of them: barriers come while others are on their way. */
  private static DataStream<String> windows(StreamExecutionEnvironment environment) {
    return environment
        .fromSource(
            new NumberSequenceSource(0, RECORDS - 1), WatermarkStrategy.noWatermarks(), "numbers")
        .map(number -> number + " ".repeat(500))
        .returns(Types.STRING)
        .keyBy(number -> number(number) % 7)
        .countWindow(1)
        .reduce((one, other) -> one);
  }

  private static long number(String padded) {
    return Long.parseLong(padded.strip());
  }
}
