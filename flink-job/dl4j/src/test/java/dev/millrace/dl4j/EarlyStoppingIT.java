package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.earlystopping.EarlyStoppingResult.TerminationReason;
import org.deeplearning4j.earlystopping.listener.EarlyStoppingListener;
import org.deeplearning4j.earlystopping.saver.InMemoryModelSaver;
import org.deeplearning4j.earlystopping.saver.LocalFileModelSaver;
import org.deeplearning4j.earlystopping.scorecalc.ClassificationScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxScoreIterationTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxTimeIterationTerminationCondition;
import org.deeplearning4j.earlystopping.termination.ScoreImprovementEpochTerminationCondition;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/** Early stopping as a program of DL4J has it. */
class EarlyStoppingIT {

  @TempDir Path directory;

  private final MultiLayerNetwork network = Examples.network();
  private final DataSetIterator train = Examples.iterator(1, 20, 32);
  private final DataSetIterator test = Examples.iterator(2, 5, 32);

  private EarlyStoppingConfiguration.Builder<MultiLayerNetwork> configuration() {
    return new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
        .modelSaver(new InMemoryModelSaver<>())
        .scoreCalculator(new DataSetLossCalculator(test, true))
        .epochTerminationConditions(new MaxEpochsTerminationCondition(4));
  }

  private EarlyStoppingParallelTrainer<MultiLayerNetwork> trainer(
      EarlyStoppingConfiguration.Builder<MultiLayerNetwork> configuration) {
    return new EarlyStoppingParallelTrainer<>(configuration.build(), network, train, null, 2, 4, 1);
  }

  @Test
  void epochsEndByTheirConditionsAndTheBestNetworkIsKept() {
    List<String> told = new ArrayList<>();
    EarlyStoppingParallelTrainer<MultiLayerNetwork> trainer =
        trainer(configuration().modelSaver(new LocalFileModelSaver(directory.toString())));
    trainer.setListener(
        new EarlyStoppingListener<>() {
          @Override
          public void onStart(
              EarlyStoppingConfiguration<MultiLayerNetwork> of, MultiLayerNetwork model) {
            told.add("start");
          }

          @Override
          public void onEpoch(
              int epoch,
              double score,
              EarlyStoppingConfiguration<MultiLayerNetwork> of,
              MultiLayerNetwork model) {
            told.add("epoch " + epoch);
          }

          @Override
          public void onCompletion(EarlyStoppingResult<MultiLayerNetwork> result) {
            told.add("completion");
          }
        });

    EarlyStoppingResult<MultiLayerNetwork> result = trainer.fit();

    assertThat(result.getTerminationReason())
        .isEqualTo(TerminationReason.EpochTerminationCondition);
    assertThat(result.getTotalEpochs()).isEqualTo(4);
    assertThat(result.getScoreVsEpoch()).containsOnlyKeys(0, 1, 2, 3);
    assertThat(result.getBestModelEpoch()).isEqualTo(3);
    assertThat(result.getBestModelScore()).isEqualTo(result.getScoreVsEpoch().get(3));
    assertThat(result.getBestModel().params()).isEqualTo(network.params());
    assertThat(told)
        .containsExactly("start", "epoch 0", "epoch 1", "epoch 2", "epoch 3", "completion");
    assertThat(network.getEpochCount()).isEqualTo(4);
  }

  /** A score that is to be great: with accuracy there is no better one after a few epochs. */
  @Test
  void epochsWithoutImprovementEndIt() {
    EarlyStoppingResult<MultiLayerNetwork> result =
        trainer(
                configuration()
                    .scoreCalculator(
                        new ClassificationScoreCalculator(Evaluation.Metric.ACCURACY, test))
                    .evaluateEveryNEpochs(2)
                    .epochTerminationConditions(
                        new MaxEpochsTerminationCondition(60),
                        new ScoreImprovementEpochTerminationCondition(1)))
            .fit();

    assertThat(result.getTotalEpochs()).isLessThan(60);
    assertThat(result.getScoreVsEpoch()).containsKeys(0, 2).doesNotContainKey(1);
    assertThat(result.getBestModelScore()).isGreaterThan(0.9);
    assertThat(Examples.accuracy(result.getBestModel())).isGreaterThan(0.9);
  }

  @Test
  void anIterationEndsAnEpoch() {
    EarlyStoppingResult<MultiLayerNetwork> result =
        new EarlyStoppingParallelTrainer<>(
                configuration()
                    .saveLastModel(true)
                    .iterationTerminationConditions(
                        new MaxTimeIterationTerminationCondition(1, TimeUnit.HOURS),
                        new MaxScoreIterationTerminationCondition(1.0e-3))
                    .build(),
                Examples.iterator(1, 4_000, 32),
                new ParallelWrapper.Builder<>(network).workers(2).prefetchBuffer(4).build())
            .fit();

    assertThat(result.getTerminationReason())
        .isEqualTo(TerminationReason.IterationTerminationCondition);
    assertThat(result.getTerminationDetails()).contains("MaxScore");
    assertThat(result.getTotalEpochs()).isZero();
    assertThat(result.getBestModel()).isSameAs(network);
    assertThat(network.getEpochCount()).isZero();
    assertThat(network.getIterationCount()).isBetween(1, 1_500);
  }

  /** As after a crash, there is a result, and a trainer trains again. */
  @Test
  void aFailureEndsItAndItIsTold() {
    FaultyIterator faulty = new FaultyIterator(Examples.iterator(1, 20, 32), 10);
    EarlyStoppingParallelTrainer<MultiLayerNetwork> trainer =
        new EarlyStoppingParallelTrainer<>(configuration().build(), network, faulty, null, 2, 4, 1);

    EarlyStoppingResult<MultiLayerNetwork> failed = trainer.fit();
    faulty.mend();
    EarlyStoppingResult<MultiLayerNetwork> second = trainer.fit();

    assertThat(failed.getTerminationReason()).isEqualTo(TerminationReason.Error);
    assertThat(failed.getTerminationDetails()).contains("on purpose");
    assertThat(second.getTotalEpochs()).isEqualTo(4);
  }

  @Test
  void pretrainingIsRefused() {
    assertThatThrownBy(() -> trainer(configuration()).pretrain())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("pretrain before");
  }
}
