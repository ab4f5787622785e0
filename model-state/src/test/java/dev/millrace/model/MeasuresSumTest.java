package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.score.ScoreCounts;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MeasuresSumTest {

  private static final ExampleShape TWO = new ExampleShape(1, 2, Target.CLASSIFICATION);
  private static final ExampleShape LABEL = new ExampleShape(1, 1, Target.MULTI_LABEL);

  @Test
  void classOneOfTwoIsThePositiveOne() {
    MeasuresSum sum = new MeasuresSum();
    float[] predictions = {0.25f, 0.75f, 0.5f, 0.5f, 0.875f, 0.125f, 0.75f, 0.25f};
    float[] labels = {0, 1, 1, 0, 0, 1, 1, 0};

    Measures added = sum.add(TWO, predictions, labels, null, 4);

    Measures measures = sum.get();
    // Of the pairs of 0.75 and 0.125 with 0.5 and 0.25 two are in order.
    assertThat(measures.auc()).isEqualTo(0.5);
    assertThat(measures.calibrationRatio()).isEqualTo((0.75 + 0.5 + 0.125 + 0.25) / 2);
    assertThat(measures.normalizedEntropy())
        .isCloseTo(measures.meanLoss() / Math.log(2), within(1e-12));
    assertThat(added).isEqualTo(measures.withoutScores().plus(stated(-1.625)));
    assertThat(added.auc()).as("without scores").isNaN();
  }

  @Test
  void oneLabelIsThePositiveOutput() {
    MeasuresSum sum = new MeasuresSum();

    sum.add(LABEL, new float[] {0.75f, 0.5f, 0.125f}, new float[] {1, 0, 0}, null, 3);

    assertThat(sum.get().auc()).isEqualTo(1);
    assertThat(sum.get().calibrationRatio()).isEqualTo(1.375);
    double share = 1 / 3.0;
    assertThat(sum.get().normalizedEntropy())
        .isCloseTo(
            sum.get().meanLoss() / -(share * Math.log(share) + 2 * share * Math.log(2 * share)),
            within(1e-12));
  }

  /** What always predicts the share of positive examples knows nothing: 1, and in no order. */
  @Test
  void theMeanShareHasANormalizedEntropyOfOne() {
    MeasuresSum sum = new MeasuresSum();
    float[] predictions = new float[64];
    Arrays.fill(predictions, 1 / 64f);
    float[] labels = new float[64];
    labels[9] = 1;

    sum.add(LABEL, predictions, labels, null, 64);

    assertThat(sum.get().normalizedEntropy()).isCloseTo(1, within(1e-6));
    assertThat(sum.get().calibrationRatio()).isEqualTo(1);
    assertThat(sum.get().auc()).isEqualTo(0.5);
  }

  @Test
  void ofOneKindAloneThereIsNothingToMeasure() {
    MeasuresSum sum = new MeasuresSum();
    assertThat(sum.get()).isEqualTo(Measures.NONE);

    sum.add(LABEL, new float[] {0.75f, 0.5f}, new float[] {0, 0}, null, 2);

    assertThat(sum.get().auc()).isNaN();
    assertThat(sum.get().normalizedEntropy()).isNaN();
    assertThat(sum.get().calibrationRatio()).isNaN();
  }

  @ParameterizedTest
  @CsvSource({"3, CLASSIFICATION", "2, MULTI_LABEL", "1, REGRESSION"})
  void otherExamplesHaveNoScores(int outputs, Target target) {
    MeasuresSum sum = new MeasuresSum();

    sum.add(new ExampleShape(1, outputs, target), new float[outputs], new float[outputs], null, 1);

    assertThat(sum.get().scores()).isSameAs(ScoreCounts.NONE);
    assertThat(sum.get().auc()).isNaN();
    assertThat(sum.get().normalizedEntropy()).isNaN();
    assertThat(sum.get().calibrationRatio()).isNaN();
  }

  @Test
  void eachStepWithALabelCounts() {
    ExampleShape each =
        new ExampleShape(
            3,
            2,
            Target.CLASSIFICATION,
            FeatureColumns.PLAIN,
            new ExampleStructure(3, true, List.of(), List.of()));
    MeasuresSum sum = new MeasuresSum();
    float[] predictions = {0.25f, 0.75f, 0.75f, 0.25f, 9, 9, 0.5f, 0.5f, 9, 9, 9, 9};
    float[] labels = {0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1};

    sum.add(each, predictions, labels, new int[] {2, 1}, 2);

    assertThat(sum.get().examples()).isEqualTo(3);
    assertThat(sum.get().scores().examples()).isEqualTo(3);
    assertThat(sum.get().auc()).isEqualTo(1);
    assertThat(sum.get().stated()).isEqualTo(1.5);
  }

  /** What replicas measure is added up by the coordinator, whoever measured what. */
  @Test
  void sharedOutMeasuresAreThoseOfOne() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    MeasuresSum whole = new MeasuresSum();
    MeasuresSum shared = new MeasuresSum();
    Measures plus = Measures.NONE;
    for (int round = 0; round < 20; round++) {
      MeasuresSum replica = new MeasuresSum();
      int rows = 1 + random.nextInt(64);
      float[] predictions = new float[rows];
      float[] labels = new float[rows];
      for (int i = 0; i < rows; i++) {
        // Sums of few bits have no rounding errors.
        predictions[i] = random.nextInt(1 << 10) / 1024f;
        labels[i] = random.nextInt(20) == 0 ? 1 : 0;
      }
      whole.add(LABEL, predictions, labels, null, rows);
      replica.add(LABEL, predictions, labels, null, rows);
      shared.add(replica.get());
      plus = plus.plus(replica.get());
    }

    assertThat(shared.get()).as("seed %s", seed).isEqualTo(whole.get()).isEqualTo(plus);
    assertThat(shared.get().auc()).as("seed %s", seed).isEqualTo(whole.get().auc());
  }

  /** Scores of some alone would be measures of others than the losses are. */
  @Test
  void whereNotAllAreScoredThereIsNoArea() {
    MeasuresSum sum = new MeasuresSum();
    sum.add(LABEL, new float[] {0.75f, 0.5f}, new float[] {1, 0}, null, 2);
    sum.add(new Measures(1, 1, 0.5, 0, 0));

    assertThat(sum.get().auc()).isNaN();
    assertThat(sum.get().calibrationRatio()).isNaN();
  }

  @Test
  void clearingBeginsAnew() {
    MeasuresSum sum = new MeasuresSum();
    sum.add(LABEL, new float[] {0.75f, 0.5f}, new float[] {1, 0}, null, 2);
    Measures before = sum.get();

    sum.clear();

    assertThat(sum.get()).isEqualTo(Measures.NONE);
    assertThat(before.auc()).isEqualTo(1);
  }

  private static Measures stated(double sum) {
    return new Measures(0, 0, 0, 0, 0, sum, ScoreCounts.NONE);
  }
}
