package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.dl4j.ParallelWrapper.TrainingMode;
import dev.millrace.dl4j.options.Thresholds;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.deeplearning4j.nn.conf.WorkspaceMode;
import org.deeplearning4j.nn.layers.feedforward.dense.DenseLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.solvers.accumulation.BasicGradientsAccumulator;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.residual.ResidualClippingPostProcessor;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.AdaptiveThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.FixedThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.TargetSparsityThresholdAlgorithm;
import org.junit.jupiter.api.Test;

/** What the builder takes, and what it refuses. */
class BuilderTest {

  private final MultiLayerNetwork network = Examples.network();

  private ParallelWrapper.Builder<MultiLayerNetwork> builder() {
    return new ParallelWrapper.Builder<>(network);
  }

  @Test
  void defaultsAreThoseOfDl4j() {
    ParallelWrapper wrapper = builder().build();

    assertThat(wrapper.getWorkers()).isEqualTo(1);
    assertThat(wrapper.getPrefetchSize()).isEqualTo(16);
    assertThat(wrapper.getAveragingFrequency()).isEqualTo(1);
    assertThat(wrapper.isAverageUpdaters()).isTrue();
    assertThat(wrapper.isReportScore()).isFalse();
    assertThat(wrapper.getModel()).isSameAs(network);
    assertThat(wrapper.getListeners()).isEmpty();
  }

  @Test
  void whatIsSaidIsKept() {
    ParallelWrapper wrapper =
        builder()
            .workers(3)
            .prefetchBuffer(24)
            .averagingFrequency(5)
            .averageUpdaters(false)
            .reportScoreAfterAveraging(true)
            .trainingMode(TrainingMode.AVERAGING)
            .build();

    assertThat(wrapper.getWorkers()).isEqualTo(3);
    assertThat(wrapper.getPrefetchSize()).isEqualTo(24);
    assertThat(wrapper.getAveragingFrequency()).isEqualTo(5);
    assertThat(wrapper.isAverageUpdaters()).isFalse();
    assertThat(wrapper.isReportScore()).isTrue();
  }

  @Test
  void whatHasNoMeaningIsTaken() {
    ParallelWrapper wrapper =
        builder()
            .workspaceMode(WorkspaceMode.ENABLED)
            .temporaryMemory(1L << 20)
            .trainerContextArgs("any")
            .residualPostProcessor(new ResidualClippingPostProcessor(5, 5))
            .trainingMode(TrainingMode.SHARED_GRADIENTS)
            .averagingFrequency(3)
            .build();

    assertThat(wrapper.getAveragingFrequency()).isEqualTo(1);
    assertThat(wrapper.isAverageUpdaters()).isFalse();
  }

  @Test
  void whatCanNotBeHonouredIsRefused() {
    assertRefused(() -> builder().trainingMode(TrainingMode.CUSTOM), "SHARED_GRADIENTS");
    assertRefused(() -> builder().trainerFactory(new Object()), "trainingMode");
    assertRefused(
        () -> builder().gradientsAccumulator(new BasicGradientsAccumulator(2)),
        "thresholdAlgorithm");
    assertThat(builder().gradientsAccumulator(null).trainerFactory(null).build()).isNotNull();
    assertRefused(() -> builder().modelParamsSupplier(() -> null), "before fit");
    assertRefused(() -> builder().updaterParamsSupplier(() -> null), "before fit");
  }

  private static void assertRefused(ThrowingCallable call, String advice) {
    assertThatThrownBy(call)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining(advice);
  }

  @Test
  void wrongNumbersAreRefused() {
    assertThatThrownBy(() -> builder().workers(0)).hasMessageContaining("workers is 0");
    assertThatThrownBy(() -> builder().averagingFrequency(0))
        .hasMessageContaining("averagingFrequency is 0");
    assertThatThrownBy(() -> builder().prefetchBuffer(-1))
        .hasMessageContaining("prefetchBuffer is -1");
  }

  @Test
  void aModelMustBeANetworkThatIsInitialized() {
    MultiLayerNetwork fresh = new MultiLayerNetwork(network.getLayerWiseConfigurations());

    assertThatThrownBy(() -> new ParallelWrapper.Builder<>(fresh)).hasMessageContaining("init()");
    assertThatThrownBy(() -> new ParallelWrapper.Builder<>(network.getLayer(0)))
        .hasMessageContaining(DenseLayer.class.getName())
        .hasMessageContaining("MultiLayerNetwork");
  }

  @Test
  void algorithmsOfThresholdsAreOptions() {
    assertThat(Thresholds.options(new FixedThresholdAlgorithm(1.0e-3)))
        .isEqualTo(
            Map.of(
                "exchange.codec.threshold.rule", "fixed",
                "exchange.codec.threshold.initial", "0.001",
                "exchange.codec.decay", "1"));
    assertThat(Thresholds.options(new AdaptiveThresholdAlgorithm()))
        .containsEntry("exchange.codec.threshold.rule", "adaptive")
        .containsEntry("exchange.codec.threshold.initial", "1.0E-4")
        .containsEntry("exchange.codec.share", "0.001")
        .containsEntry("exchange.codec.decay", "1");
    assertThat(Thresholds.options(new TargetSparsityThresholdAlgorithm(1.0e-5, 0.02, 0.9)))
        .containsEntry("exchange.codec.threshold.rule", "target")
        .containsEntry("exchange.codec.threshold.initial", "1.0E-5")
        .containsEntry("exchange.codec.share", "0.02");
  }
}
