package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import programs.LenetProgram;
import programs.MasterProgram;

/** A program of DL4J that trains by a wrapper, with another import. */
class ParallelWrapperIT {

  /** Without {@code flink run} it trains in this process. */
  @Test
  void aMasterTrainsWhereItIs() {
    assertThat(new MasterProgram(125, 2).run().accuracy()).isGreaterThan(0.85);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void lenetLearnsDigits(boolean sharesGradients) {
    assertThat(new LenetProgram().run(sharesGradients).accuracy()).isGreaterThan(0.85);
  }
}
