package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import org.junit.jupiter.api.Test;

final class MeasuresTest {

  @Test
  void classificationCountsTheGreatestProbability() {
    ExampleShape shape = new ExampleShape(1, 3, Target.CLASSIFICATION);
    float[] predictions = {0.2f, 0.5f, 0.3f, 0.5f, 0.25f, 0.25f};
    float[] labels = {0, 1, 0, 0, 0, 1};

    Measures measures = Measures.of(shape, predictions, labels, 2);

    assertThat(measures.examples()).isEqualTo(2);
    assertThat(measures.accuracy()).isEqualTo(0.5);
    assertThat(measures.meanLoss()).isCloseTo(-(Math.log(0.5) + Math.log(0.25)) / 2, within(1e-9));
  }

  @Test
  void aClassHeldImpossibleCostsMuchButNotInfinitelyMuch() {
    ExampleShape shape = new ExampleShape(1, 2, Target.CLASSIFICATION);

    assertThat(Measures.of(shape, new float[] {1, 0}, new float[] {0, 1}, 1).meanLoss())
        .isCloseTo(-Math.log(1e-7), within(1e-9));
  }

  @Test
  void multiLabelIsRightWhereTheWholeSetIs() {
    ExampleShape shape = new ExampleShape(1, 2, Target.MULTI_LABEL);
    float[] predictions = {0.75f, 0.25f, 0.75f, 0.75f};
    float[] labels = {1, 0, 1, 0};

    Measures measures = Measures.of(shape, predictions, labels, 2);

    assertThat(measures.correct()).isEqualTo(1);
    assertThat(measures.loss())
        .isCloseTo(-Math.log(0.75) - (Math.log(0.75) + Math.log(0.25)) / 2, within(1e-9));
  }

  @Test
  void regressionMeasuresDistances() {
    ExampleShape shape = new ExampleShape(1, 2, Target.REGRESSION);
    float[] predictions = {1, 2, 5, 5};
    float[] labels = {0, 4, 5, 5};

    Measures measures = Measures.of(shape, predictions, labels, 2);

    assertThat(measures.meanLoss()).isEqualTo(1.25);
    assertThat(measures.meanAbsoluteError()).isEqualTo(0.75);
    assertThat(measures.rootMeanSquaredError()).isEqualTo(Math.sqrt(1.25));
  }

  @Test
  void onlyTheFirstRowsAreMeasured() {
    ExampleShape shape = new ExampleShape(1, 1, Target.REGRESSION);

    assertThat(Measures.of(shape, new float[] {1, 9}, new float[] {1, 0}, 1))
        .isEqualTo(new Measures(1, 0, 0, 0, 0));
  }

  @Test
  void sumsAreThoseOfTheExamples() {
    Measures one = new Measures(3, 2, 1.5, 0.5, 0.25);
    Measures other = new Measures(1, 1, 0.5, 0.25, 0.125);

    assertThat(one.plus(other)).isEqualTo(new Measures(4, 3, 2, 0.75, 0.375));
    assertThat(one.plus(Measures.NONE)).isEqualTo(one);
    assertThat(Measures.NONE.accuracy()).isNaN();
  }
}
