package dev.millrace.dl4j.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.classification.EvaluationCalibration;
import org.nd4j.evaluation.classification.ROCMultiClass;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.dataset.DataSet;
import programs.DrawnDigits;
import programs.EvaluationProgram;

/** What many workers find out about a network is what DL4J finds out alone. */
class EvaluationProgramIT {

  private static final List<DataSet> TEST = DrawnDigits.draw(2, 13, 16);

  @Test
  void workersFindWhatOneProcessFinds() {
    MultiLayerNetwork network = Networks.perceptron();
    network.fit(new ListDataSetIterator<>(DrawnDigits.draw(1, 60, 16), 1), 5);
    EvaluationProgram program = new EvaluationProgram(true, network, TEST);

    IEvaluation<?>[] found = program.run();

    IEvaluation<?>[] alone = {
      new Evaluation(10),
      new ROCMultiClass(0),
      new RegressionEvaluation(10),
      new EvaluationCalibration()
    };
    network.doEvaluation(new ListDataSetIterator<>(DataSet.merge(TEST).asList(), 64), alone);
    assertThat(((Evaluation) found[0]).accuracy()).isGreaterThan(0.5);
    for (int i = 0; i < alone.length; i++) {
      assertThat(found[i].stats()).isEqualTo(alone[i].stats());
    }
    assertThat(((Evaluation) found[0]).getConfusionMatrix())
        .isEqualTo(((Evaluation) alone[0]).getConfusionMatrix());
    assertThat(found[1]).isEqualTo(alone[1]);
    for (int i = 0; i < DrawnDigits.CLASSES; i++) {
      assertSameNumbers((RegressionEvaluation) found[2], (RegressionEvaluation) alone[2], i);
      assertSameCounts((EvaluationCalibration) found[3], (EvaluationCalibration) alone[3], i);
    }

    List<DataSet> examples = DataSet.merge(TEST).asList();
    assertThat(program.predictions()).hasSize(examples.size());
    assertThat(program.scoresByKey()).hasSize(examples.size());
    for (int i = 0; i < examples.size(); i++) {
      String key = "example-" + i;
      DataSet example = examples.get(i);
      assertThat(
              program
                  .predictions()
                  .get(key)
                  .equalsWithEps(network.output(example.getFeatures()), 1e-5))
          .isTrue();
      double score = network.scoreExamples(example, false).getDouble(0);
      assertThat(program.scoresByKey().get(key)).isCloseTo(score, within(1e-4));
      assertThat(program.scores().collect().get(i)).isCloseTo(score, within(1e-4));
    }
    assertThat(program.averageScore()).isCloseTo(program.scores().mean(), within(1e-4));
  }

  /** Sums of parts are rounded elsewhere than sums of all. */
  private static void assertSameNumbers(
      RegressionEvaluation found, RegressionEvaluation alone, int output) {
    assertThat(found.meanSquaredError(output))
        .isCloseTo(alone.meanSquaredError(output), withinPercentage(1e-4));
    assertThat(found.rSquared(output)).isCloseTo(alone.rSquared(output), withinPercentage(1e-4));
    assertThat(found.pearsonCorrelation(output))
        .isCloseTo(alone.pearsonCorrelation(output), withinPercentage(1e-4));
  }

  private static void assertSameCounts(
      EvaluationCalibration found, EvaluationCalibration alone, int output) {
    assertThat(found.getLabelCountsEachClass()).isEqualTo(alone.getLabelCountsEachClass());
    assertThat(found.getPredictionCountsEachClass())
        .isEqualTo(alone.getPredictionCountsEachClass());
    assertThat(found.getResidualPlot(output).getBinCounts())
        .isEqualTo(alone.getResidualPlot(output).getBinCounts());
    assertThat(found.getResidualPlotAllClasses().getBinCounts())
        .isEqualTo(alone.getResidualPlotAllClasses().getBinCounts());
    assertThat(found.getProbabilityHistogram(output).getBinCounts())
        .isEqualTo(alone.getProbabilityHistogram(output).getBinCounts());
    assertThat(found.getProbabilityHistogramAllClasses().getBinCounts())
        .isEqualTo(alone.getProbabilityHistogramAllClasses().getBinCounts());
    assertThat(found.getReliabilityDiagram(output).getFractionPositivesY())
        .isEqualTo(alone.getReliabilityDiagram(output).getFractionPositivesY());
    assertThat(found.getReliabilityDiagram(output).getMeanPredictedValueX())
        .containsExactly(
            alone.getReliabilityDiagram(output).getMeanPredictedValueX(), within(1e-6));
  }
}
