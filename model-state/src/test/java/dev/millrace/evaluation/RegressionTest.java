package dev.millrace.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.evaluation.RegressionResult.Output;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Against values computed by hand. */
final class RegressionTest {

  private static final Offset<Double> EXACTLY = within(1e-12);

  @Test
  void measuresEachOutput() {
    Output output = evaluate(new float[] {2, 3, 4, 7}, new float[] {1, 3, 5, 7});

    assertThat(output.meanSquaredError()).isEqualTo(0.5);
    assertThat(output.rootMeanSquaredError()).isEqualTo(Math.sqrt(0.5));
    assertThat(output.meanAbsoluteError()).isEqualTo(0.5);
    // Squared errors of 2, against 9 + 1 + 1 + 9 about the mean of 4.
    assertThat(output.r2()).isCloseTo(0.9, EXACTLY);
    // Covariance 16, over the roots of 20 and of 4 + 1 + 0 + 9.
    assertThat(output.correlation()).isCloseTo(16 / Math.sqrt(20 * 14), EXACTLY);
    assertThat(output.meanLabel()).isEqualTo(4);
    assertThat(output.meanPrediction()).isEqualTo(4);
  }

  @Test
  void aLargeMeanCostsNoPrecision() {
    // One float is 1/128 from the next here, and their squares are beyond a double's precision.
    Output output =
        evaluate(
            new float[] {100_002, 100_003, 100_004, 100_007},
            new float[] {100_001, 100_003, 100_005, 100_007});

    assertThat(output.r2()).isCloseTo(0.9, EXACTLY);
    assertThat(output.correlation()).isCloseTo(16 / Math.sqrt(20 * 14), EXACTLY);
  }

  @Test
  void whatNeverChangesHasNoCorrelation() {
    Output labels = evaluate(new float[] {1, 2}, new float[] {0.1f, 0.1f});
    Output predictions = evaluate(new float[] {0.1f, 0.1f}, new float[] {1, 2});

    assertThat(labels.r2()).isNull();
    assertThat(labels.correlation()).isNull();
    assertThat(predictions.r2()).isNegative();
    assertThat(predictions.correlation()).isNull();
  }

  @Test
  void quantilesAreAtMostASixteenthTooLarge() {
    float[] labels = new float[100];
    float[] predictions = new float[100];
    for (int i = 0; i < 100; i++) {
      predictions[i] = i + 1;
    }
    Output output = evaluate(predictions, labels);

    assertThat(output.absoluteErrors())
        .allSatisfy(
            quantile ->
                assertThat(quantile.error())
                    .isBetween(quantile.share() * 100, quantile.share() * 100 * (1 + 1 / 16.0)));
    assertThat(output.absoluteErrors()).extracting(RegressionResult.Quantile::share).contains(0.5);
  }

  @Test
  void meansAreOverTheOutputs() {
    ModelEvaluation evaluation = ModelEvaluation.of(new ExampleShape(1, 2, Target.REGRESSION));
    evaluation.add(new float[] {2, 0, 3, 0}, new float[] {1, 3, 3, 3}, 2);
    RegressionResult result = (RegressionResult) evaluation.result(List.of("a", "b"));

    assertThat(result.loss()).isEqualTo((1 + 9 + 0 + 9) / 4.0);
    assertThat(result.mean().meanSquaredError()).isEqualTo((0.5 + 9) / 2);
    assertThat(result.mean().meanAbsoluteError()).isEqualTo((0.5 + 3) / 2);
    // The second output's labels are all the same: no R² of its own, and none in the mean.
    assertThat(result.mean().r2()).isCloseTo(0.5, EXACTLY);
  }

  private static Output evaluate(float[] predictions, float[] labels) {
    ModelEvaluation evaluation = ModelEvaluation.of(new ExampleShape(1, 1, Target.REGRESSION));
    evaluation.add(predictions, labels, labels.length);
    return ((RegressionResult) evaluation.result(List.of("y"))).outputs().get(0);
  }
}
