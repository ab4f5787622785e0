package dev.millrace.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.evaluation.MultiLabelResult.LabelResult;
import dev.millrace.model.Measures;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Against values computed by hand. */
final class MultiLabelTest {

  private static final Offset<Double> EXACTLY = within(1e-12);
  private static final ExampleShape SHAPE = new ExampleShape(1, 2, Target.MULTI_LABEL);
  private static final float[] LABELS = {1, 0, 1, 1, 0, 0, 0, 1};
  private static final float[] PREDICTIONS = {
    0.75f, 0.25f, 0.375f, 0.75f, 0.625f, 0.125f, 0.25f, 0.5f
  };

  @Test
  void measuresEachLabelByItself() {
    LabelResult first = evaluate().labels().get(0);

    assertThat(first.name()).isEqualTo("rain");
    assertThat(first.examples()).isEqualTo(2);
    assertThat(
            List.of(
                first.truePositives(),
                first.falsePositives(),
                first.falseNegatives(),
                first.trueNegatives()))
        .containsExactly(1L, 1L, 1L, 1L);
    assertThat(first.accuracy()).isEqualTo(0.5);
    assertThat(first.precision()).isEqualTo(0.5);
    assertThat(first.recall()).isEqualTo(0.5);
    assertThat(first.f1()).isEqualTo(0.5);
    // 0.75 and 0.375 against 0.625 and 0.25.
    assertThat(first.auc()).isEqualTo(0.75);
    assertThat(first.calibration().expectedError())
        .isCloseTo((0.25 + 0.625 + 0.625 + 0.25) / 4, EXACTLY);
  }

  @Test
  void measuresTheWhole() {
    MultiLabelResult result = evaluate();

    assertThat(result.examples()).isEqualTo(4);
    assertThat(result.accuracy()).isEqualTo(0.5);
    assertThat(result.labels().get(1).f1()).isEqualTo(1);
    assertThat(result.macro().f1()).isEqualTo(0.75);
    assertThat(result.macro().auc()).isEqualTo(0.875);
    assertThat(result.loss())
        .isCloseTo(Measures.of(SHAPE, PREDICTIONS, LABELS, 4).meanLoss(), EXACTLY);
  }

  private static MultiLabelResult evaluate() {
    ModelEvaluation evaluation = ModelEvaluation.of(SHAPE);
    evaluation.add(PREDICTIONS, LABELS, 4);
    return (MultiLabelResult) evaluation.result(List.of("rain", "wind"));
  }
}
