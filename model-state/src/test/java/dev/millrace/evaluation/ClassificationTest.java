package dev.millrace.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.evaluation.ClassificationResult.ClassResult;
import dev.millrace.model.Measures;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Against values computed by hand. */
final class ClassificationTest {

  private static final Offset<Double> EXACTLY = within(1e-12);
  private static final List<String> NAMES = List.of("cat", "dog", "emu");
  private static final ExampleShape SHAPE = new ExampleShape(1, 3, Target.CLASSIFICATION);

  /** Two cats, right; two dogs, of which one is taken for a cat; no emu. */
  private static final float[] LABELS = {1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0};

  private static final float[] PREDICTIONS = {
    0.75f, 0.25f, 0,
    0.5f, 0.25f, 0.25f,
    0.25f, 0.75f, 0,
    0.625f, 0.375f, 0
  };

  @Test
  void countsEachClassAgainstEachOther() {
    ClassificationResult result = evaluate();

    assertThat(result.examples()).isEqualTo(4);
    assertThat(result.confusion()).isDeepEqualTo(new long[][] {{2, 0, 0}, {1, 1, 0}, {0, 0, 0}});
    assertThat(result.accuracy()).isEqualTo(0.75);
    assertThat(result.loss())
        .isCloseTo(
            -(Math.log(0.75) + Math.log(0.5) + Math.log(0.75) + Math.log(0.375)) / 4, EXACTLY);
  }

  @Test
  void measuresEachClass() {
    ClassResult cat = evaluate().classes().get(0);
    ClassResult dog = evaluate().classes().get(1);

    assertThat(cat.name()).isEqualTo("cat");
    assertThat(cat.precision()).isCloseTo(2 / 3.0, EXACTLY);
    assertThat(cat.recall()).isEqualTo(1);
    assertThat(cat.f1()).isCloseTo(0.8, EXACTLY);
    assertThat(dog.precision()).isEqualTo(1);
    assertThat(dog.recall()).isEqualTo(0.5);
    assertThat(dog.f1()).isCloseTo(2 / 3.0, EXACTLY);
  }

  @Test
  void aClassThatNoExampleHasIsLeftOutOfMeans() {
    ClassificationResult result = evaluate();
    ClassResult emu = result.classes().get(2);

    assertThat(List.of(emu.examples(), emu.predicted())).containsOnly(0L);
    assertThat(emu.precision()).isNull();
    assertThat(emu.recall()).isNull();
    assertThat(emu.f1()).isNull();
    assertThat(emu.auc()).isNull();
    assertThat(emu.roc()).isNull();
    assertThat(result.macro().precision()).isCloseTo((2 / 3.0 + 1) / 2, EXACTLY);
    assertThat(result.macro().recall()).isCloseTo(0.75, EXACTLY);
    assertThat(result.macro().f1()).isCloseTo((0.8 + 2 / 3.0) / 2, EXACTLY);
  }

  @Test
  void aClassThatIsNeverPredictedCountsAsNeverRight() {
    ExampleShape two = new ExampleShape(1, 2, Target.CLASSIFICATION);
    ModelEvaluation evaluation = ModelEvaluation.of(two);
    evaluation.add(new float[] {1, 0, 1, 0}, new float[] {1, 0, 0, 1}, 2);
    ClassificationResult result = (ClassificationResult) evaluation.result(List.of("a", "b"));

    assertThat(result.classes().get(1).precision()).isNull();
    assertThat(result.classes().get(1).f1()).isZero();
    assertThat(result.macro().precision()).isEqualTo(0.25);
    assertThat(result.macro().f1()).isCloseTo(1 / 3.0, EXACTLY);
  }

  @Test
  void theAreaIsTheShareOfPairsInTheRightOrder() {
    // Of the cats' 0.75 and 0.5 against the others' 0.25 and 0.625, three pairs of four are right.
    ClassResult cat = evaluate().classes().get(0);

    assertThat(cat.auc()).isEqualTo(0.75);
    assertThat(cat.aucMargin()).isZero();
    assertThat(evaluate().macro().auc()).isEqualTo((0.75 + 1) / 2);
  }

  @Test
  void calibrationComparesWhatIsSaidWithWhatComesTrue() {
    // By bins of 1/15: 0.5 in the eighth, right; 0.625 in the tenth, wrong; twice 0.75, right.
    Calibration calibration = evaluate().calibration();

    assertThat(calibration.bins()).hasSize(15);
    assertThat(calibration.bins().get(7).observed()).isEqualTo(1);
    assertThat(calibration.bins().get(9).observed()).isZero();
    assertThat(calibration.bins().get(11).examples()).isEqualTo(2);
    assertThat(calibration.bins().get(11).stated()).isEqualTo(0.75);
    assertThat(calibration.bins().get(0).stated()).isNull();
    assertThat(calibration.expectedError()).isCloseTo((0.5 + 0.625 + 2 * 0.25) / 4, EXACTLY);
    assertThat(calibration.greatestError()).isEqualTo(0.625);
  }

  @Test
  void agreesWithTheMeasuresOfTraining() {
    Measures measures = Measures.of(SHAPE, PREDICTIONS, LABELS, 4);

    assertThat(evaluate().accuracy()).isEqualTo(measures.accuracy());
    assertThat(evaluate().loss()).isCloseTo(measures.meanLoss(), EXACTLY);
  }

  @Test
  void predictionsThatAreNoNumbersAreCountedApart() {
    ModelEvaluation evaluation = ModelEvaluation.of(SHAPE);
    evaluation.add(new float[] {Float.NaN, 0, 0}, new float[] {1, 0, 0}, 1);
    evaluation.add(PREDICTIONS, LABELS, 4);

    assertThat(evaluation.unusable()).isEqualTo(1);
    assertThat(evaluation.examples()).isEqualTo(4);
    assertThat(evaluation.result(NAMES)).usingRecursiveComparison().isEqualTo(evaluate());
  }

  @Test
  void noExampleMakesNoMeasure() {
    ClassificationResult result = (ClassificationResult) ModelEvaluation.of(SHAPE).result(NAMES);

    assertThat(result.examples()).isZero();
    assertThat(result.accuracy()).isNull();
    assertThat(result.loss()).isNull();
    assertThat(result.macro().f1()).isNull();
    assertThat(result.calibration().expectedError()).isNull();
  }

  private static ClassificationResult evaluate() {
    ModelEvaluation evaluation = ModelEvaluation.of(SHAPE);
    evaluation.add(PREDICTIONS, LABELS, 4);
    return (ClassificationResult) evaluation.result(NAMES);
  }
}
