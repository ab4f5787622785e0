package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalInt;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

/** How many replicas train. */
class TrainCommandTest {

  @Test
  void aTimeSeriesIsLearnedByOneReplicaUnlessMoreAreAskedFor() {
    Configuration streaming = Configuration.fromMap(Map.of("preset", "streaming"));

    assertThat(TrainCommand.wanted(OptionalInt.empty(), streaming)).isEqualTo(1);
    assertThat(TrainCommand.wanted(OptionalInt.of(4), streaming)).isEqualTo(4);
    assertThat(TrainCommand.wanted(OptionalInt.empty(), new Configuration()))
        .isEqualTo(Runtime.getRuntime().availableProcessors());
  }
}
