package dev.millrace.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.evaluation.ClassificationResult.ClassResult;
import dev.millrace.evaluation.MultiLabelResult.LabelResult;
import dev.millrace.evaluation.RegressionResult.Output;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.classification.EvaluationBinary;
import org.nd4j.evaluation.classification.EvaluationCalibration;
import org.nd4j.evaluation.classification.ROCMultiClass;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Where ND4J's own classes are right, see the package's description, both say the same. */
final class Nd4jAgreementTest {

  private static final List<String> NAMES = List.of("0", "1", "2", "3");

  private final long seed = Seeds.next();
  private INDArray labels;
  private INDArray predictions;

  @Test
  void ofClasses() {
    ClassificationResult ours = (ClassificationResult) evaluate(Target.CLASSIFICATION);
    Evaluation theirs = new Evaluation(NAMES.size());
    theirs.eval(labels, predictions);
    ROCMultiClass exact = new ROCMultiClass(0);
    exact.eval(labels, predictions);

    same(ours.accuracy(), theirs.accuracy());
    same(ours.macro().precision(), theirs.precision());
    same(ours.macro().recall(), theirs.recall());
    same(ours.macro().f1(), theirs.f1());
    for (int i = 0; i < NAMES.size(); i++) {
      ClassResult ofClass = ours.classes().get(i);
      same(ofClass.precision(), theirs.precision(i));
      same(ofClass.recall(), theirs.recall(i));
      same(ofClass.f1(), theirs.f1(i));
      assertThat(ofClass.auc())
          .as("seed %d", seed)
          .isCloseTo(exact.calculateAUC(i), within(ofClass.aucMargin() + 1e-9));
    }
  }

  @Test
  void ofLabels() {
    MultiLabelResult ours = (MultiLabelResult) evaluate(Target.MULTI_LABEL);
    EvaluationBinary theirs = new EvaluationBinary();
    theirs.eval(labels, predictions);
    EvaluationCalibration calibration = new EvaluationCalibration(Reliability.BINS, 2);
    calibration.eval(labels, predictions);

    for (int i = 0; i < NAMES.size(); i++) {
      LabelResult label = ours.labels().get(i);
      same(label.accuracy(), theirs.accuracy(i));
      same(label.precision(), theirs.precision(i));
      same(label.recall(), theirs.recall(i));
      same(label.f1(), theirs.f1(i));
      double[] observed =
          label.calibration().bins().stream()
              .filter(bin -> bin.examples() > 0)
              .mapToDouble(Calibration.Bin::observed)
              .toArray();
      assertThat(observed)
          .as("seed %d", seed)
          .containsExactly(
              calibration.getReliabilityDiagram(i).getFractionPositivesY(), within(1e-6));
    }
  }

  @Test
  void ofNumbers() {
    RegressionResult ours = (RegressionResult) evaluate(Target.REGRESSION);
    RegressionEvaluation theirs = new RegressionEvaluation(NAMES.size());
    theirs.eval(labels, predictions);

    for (int i = 0; i < NAMES.size(); i++) {
      Output output = ours.outputs().get(i);
      same(output.meanSquaredError(), theirs.meanSquaredError(i));
      same(output.meanAbsoluteError(), theirs.meanAbsoluteError(i));
    }
  }

  private void same(Double ours, double theirs) {
    assertThat(ours).as("seed %d", seed).isCloseTo(theirs, within(1e-5));
  }

  private EvaluationResult evaluate(Target target) {
    RandomRows rows = new RandomRows(new ExampleShape(1, NAMES.size(), target), seed);
    ModelEvaluation evaluation = ModelEvaluation.of(rows.shape());
    List<float[]> measuredLabels = new ArrayList<>();
    List<float[]> measuredPredictions = new ArrayList<>();
    for (int batch = 0; batch < 20; batch++) {
      rows.next();
      evaluation.add(rows.predictions(), rows.labels(), rows.count());
      for (int row = 0; row < rows.count(); row++) {
        float[] predicted = row(rows.predictions(), row);
        // ND4J refuses what isn't a number.
        if (!Float.isNaN(predicted[0])) {
          measuredPredictions.add(predicted);
          measuredLabels.add(row(rows.labels(), row));
        }
      }
    }
    labels = Nd4j.create(measuredLabels.toArray(float[][]::new));
    predictions = Nd4j.create(measuredPredictions.toArray(float[][]::new));
    return evaluation.result(NAMES);
  }

  private static float[] row(float[] rows, int row) {
    return Arrays.copyOfRange(rows, row * NAMES.size(), (row + 1) * NAMES.size());
  }
}
