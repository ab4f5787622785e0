package dev.millrace.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.Measures;
import dev.millrace.model.MeasuresSum;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One definition: an evaluation says what training says of the same examples. */
final class TwoClassesTest {

  private static final int ROWS = 5_000;

  private final long seed = Seeds.next();
  private final Random random = new Random(seed);

  @Test
  void twoClassesAreMeasuredAsInTraining() {
    ExampleShape shape = new ExampleShape(1, 2, Target.CLASSIFICATION);
    float[] predictions = new float[2 * ROWS];
    float[] labels = new float[2 * ROWS];
    for (int row = 0; row < ROWS; row++) {
      float score = score();
      predictions[2 * row] = 1 - score;
      predictions[2 * row + 1] = score;
      labels[2 * row + (random.nextFloat() < score ? 1 : 0)] = 1;
    }
    ModelEvaluation evaluation = ModelEvaluation.of(shape);
    evaluation.add(predictions, labels, ROWS);
    ClassificationResult result = (ClassificationResult) evaluation.result(List.of("no", "yes"));

    Measures measures = measured(shape, predictions, labels);
    assertThat(result.auc()).as("seed %s", seed).isEqualTo(measures.auc());
    assertThat(result.auc()).isEqualTo(result.classes().get(1).auc());
    assertSame(result.normalizedEntropy(), measures.normalizedEntropy());
    assertSame(result.calibrationRatio(), measures.calibrationRatio());
  }

  @Test
  void oneLabelIsMeasuredAsInTraining() {
    ExampleShape shape = new ExampleShape(1, 1, Target.MULTI_LABEL);
    float[] predictions = new float[ROWS];
    float[] labels = new float[ROWS];
    for (int row = 0; row < ROWS; row++) {
      predictions[row] = score();
      labels[row] = random.nextFloat() < predictions[row] ? 1 : 0;
    }
    ModelEvaluation evaluation = ModelEvaluation.of(shape);
    evaluation.add(predictions, labels, ROWS);
    MultiLabelResult result = (MultiLabelResult) evaluation.result(List.of("click"));

    Measures measures = measured(shape, predictions, labels);
    assertThat(result.auc()).as("seed %s", seed).isEqualTo(measures.auc());
    assertSame(result.normalizedEntropy(), measures.normalizedEntropy());
    assertSame(result.calibrationRatio(), measures.calibrationRatio());
  }

  @Test
  void whereExamplesAreNotPositiveOrNegativeNothingIsSaid() {
    ModelEvaluation classes = ModelEvaluation.of(new ExampleShape(1, 3, Target.CLASSIFICATION));
    classes.add(new float[] {1, 0, 0}, new float[] {0, 1, 0}, 1);
    ClassificationResult ofClasses = (ClassificationResult) classes.result(List.of("a", "b", "c"));
    ModelEvaluation one = ModelEvaluation.of(new ExampleShape(1, 1, Target.MULTI_LABEL));
    one.add(new float[] {0.5f}, new float[] {0}, 1);
    MultiLabelResult ofOne = (MultiLabelResult) one.result(List.of("click"));

    assertThat(ofClasses.auc()).isNull();
    assertThat(ofClasses.normalizedEntropy()).isNull();
    assertThat(ofClasses.calibrationRatio()).isNull();
    assertThat(ofOne.auc()).as("without a positive one").isNull();
    assertThat(ofOne.normalizedEntropy()).isNull();
    assertThat(ofOne.calibrationRatio()).isNull();
  }

  private float score() {
    return (float) (1 / (1 + Math.exp(2 - 2 * random.nextGaussian())));
  }

  private static Measures measured(ExampleShape shape, float[] predictions, float[] labels) {
    MeasuresSum sum = new MeasuresSum();
    sum.add(shape, predictions, labels, null, ROWS);
    return sum.get();
  }

  private void assertSame(double evaluated, double measured) {
    assertThat(evaluated).as("seed %s", seed).isCloseTo(measured, within(1e-9));
  }
}
