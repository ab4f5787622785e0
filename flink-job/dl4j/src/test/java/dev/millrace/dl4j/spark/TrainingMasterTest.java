package dev.millrace.dl4j.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.dl4j.TrainingContext;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ThresholdAlgorithmReducer;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.AdaptiveThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.FixedThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.TargetSparsityThresholdAlgorithm;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.ndarray.INDArray;

/** What training masters are told, as options. */
class TrainingMasterTest {

  private static final JavaSparkContext CONTEXT =
      JavaSparkContext.of(TrainingContext.embedded(), 3);

  @Test
  void averagingHasTheDefaultsOfTheOriginal() {
    MasterSettings settings = new ParameterAveragingTrainingMaster.Builder(1).build().settings();

    assertThat(settings.batchSize()).isEqualTo(16);
    assertThat(settings.workers(CONTEXT)).isEqualTo(3);
    assertThat(settings.options())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "exchange.preset", "parameter-averaging",
                "exchange.local-steps", "5",
                "exchange.average-updater", "true"));
  }

  @Test
  void averagingIsSaidByOptions() {
    MasterSettings settings =
        new ParameterAveragingTrainingMaster.Builder(2, 1)
            .batchSizePerWorker(32)
            .averagingFrequency(3)
            .saveUpdater(false)
            .workerPrefetchNumBatches(4)
            .option("guard.max-change", "0")
            .build()
            .settings();

    assertThat(settings.batchSize()).isEqualTo(32);
    assertThat(settings.prefetched()).isEqualTo(4);
    assertThat(settings.workers(CONTEXT)).isEqualTo(2);
    assertThat(settings.options())
        .containsEntry("exchange.local-steps", "3")
        .containsEntry("exchange.average-updater", "false")
        .containsEntry("guard.max-change", "0");
  }

  @Test
  void thresholdsAreSaidByOptions() {
    assertThat(options(new FixedThresholdAlgorithm(0.01)))
        .containsEntry("exchange.preset", "gradient-sharing")
        .containsEntry("exchange.codec.threshold.rule", "fixed")
        .containsEntry("exchange.codec.threshold.initial", "0.01");
    assertThat(options(new AdaptiveThresholdAlgorithm(0.01, 0.001, 0.1, 0.9)))
        .containsEntry("exchange.codec.threshold.rule", "adaptive")
        .containsEntry("exchange.codec.threshold.initial", "0.01")
        .containsEntry("exchange.codec.share", "0.01");
    assertThat(options(new TargetSparsityThresholdAlgorithm(0.01, 0.002, 0.9)))
        .containsEntry("exchange.codec.threshold.rule", "target")
        .containsEntry("exchange.codec.threshold.initial", "0.01")
        .containsEntry("exchange.codec.share", "0.002");
    assertThatThrownBy(() -> options(new OwnAlgorithm()))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("OwnAlgorithm");
  }

  private static Map<String, String> options(ThresholdAlgorithm algorithm) {
    return new SharedTrainingMaster.Builder(algorithm, 8).build().settings().options();
  }

  @Test
  void sharingHasTheDefaultsOfTheOriginal() {
    MasterSettings settings = new SharedTrainingMaster.Builder(8).build().settings();

    assertThat(settings.batchSize()).isEqualTo(8);
    assertThat(settings.prefetched()).isEqualTo(2);
    assertThat(settings.options())
        .containsEntry("exchange.codec.threshold.rule", "adaptive")
        .containsEntry("exchange.codec.threshold.initial", "1.0E-4");
    assertThat(
            new SharedTrainingMaster.Builder(8).updatesThreshold(1e-3).build().settings().options())
        .containsEntry("exchange.codec.threshold.initial", "0.001");
  }

  @Test
  void workersOfANodeAreWorkersOfThisProcess() {
    SharedTrainingMaster master = new SharedTrainingMaster.Builder(8).workersPerNode(5).build();

    assertThat(master.settings().workers(CONTEXT)).isEqualTo(5);
    assertThat(
            master.settings().workers(JavaSparkContext.of(TrainingContext.remote("host", 8081), 7)))
        .isEqualTo(7);
    assertThat(
            new SharedTrainingMaster.Builder(8)
                .workersPerNode(-1)
                .build()
                .settings()
                .workers(CONTEXT))
        .isEqualTo(3);
  }

  @Test
  void whatCantBeHonouredIsRefused() {
    assertThatThrownBy(() -> new SharedTrainingMaster.Builder(8).build().addHook(null))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("TrainingListener");
    assertThatThrownBy(() -> new SharedTrainingMaster.Builder(8).transport(new Transport() {}))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> new ParameterAveragingTrainingMaster.Builder(0))
        .hasMessageContaining("number of examples of a data set is 0");
    assertThatThrownBy(
            () -> new ParameterAveragingTrainingMaster.Builder(1).batchSizePerWorker(0).build())
        .hasMessageContaining("batch size of a worker is 0");
    assertThatThrownBy(() -> new ParameterAveragingTrainingMaster.Builder(0, 1).build())
        .hasMessageContaining("number of workers is 0");
    assertThat(new ParameterAveragingTrainingMaster.Builder(1).trainingHooks(List.of()).build())
        .isNotNull();
  }

  /** An algorithm of a program's own. */
  private static final class OwnAlgorithm implements ThresholdAlgorithm {

    private static final long serialVersionUID = 1;

    @Override
    public double calculateThreshold(
        int iteration,
        int epoch,
        Double lastThreshold,
        Boolean lastWasDense,
        Double lastSparsityRatio,
        INDArray updatesPlusResidual) {
      return 1;
    }

    @Override
    public ThresholdAlgorithmReducer newReducer() {
      return null;
    }

    @Override
    public ThresholdAlgorithm clone() {
      return this;
    }
  }
}
