package dev.millrace.dl4j.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.deeplearning4j.optimize.solvers.accumulation.encoding.ThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.AdaptiveThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.FixedThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.TargetSparsityThresholdAlgorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import programs.GradientSharingProgram;
import programs.ParameterAveragingProgram;

/** Programs of DL4J on Spark, with other imports. */
class ProgramsIT {

  static ThresholdAlgorithm[] thresholds() {
    return new ThresholdAlgorithm[] {
      new AdaptiveThresholdAlgorithm(),
      new FixedThresholdAlgorithm(1e-3),
      new TargetSparsityThresholdAlgorithm()
    };
  }

  @Test
  void parametersAreAveraged() {
    ParameterAveragingProgram program = new ParameterAveragingProgram(true);

    assertThat(program.run().accuracy()).isGreaterThan(0.9);
    assertThat(program.stats()).contains("Accuracy");
    assertThat(program.trainingStats().lines())
        .hasSize(6)
        .element(5)
        .asString()
        .matches("5 [1-9]\\d* 2000 .*");
  }

  @ParameterizedTest
  @MethodSource("thresholds")
  void gradientsAreShared(ThresholdAlgorithm algorithm) {
    assertThat(new GradientSharingProgram(true, algorithm).run().accuracy()).isGreaterThan(0.85);
  }
}
