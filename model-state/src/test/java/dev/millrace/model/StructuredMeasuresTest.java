package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

class StructuredMeasuresTest {

  private static final ExampleShape EACH =
      new ExampleShape(
          6, 2, Target.CLASSIFICATION, FeatureColumns.PLAIN, new ExampleStructure(3, true));

  @Test
  void eachStepThatIsThereCounts() {
    float[] predictions = {0.9f, 0.1f, 0.2f, 0.8f, 0, 0, 0.6f, 0.4f, 0, 0, 0, 0};
    float[] labels = {1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0};

    Measures measures = Measures.of(EACH, predictions, labels, new int[] {2, 1}, 2);

    assertThat(measures.examples()).isEqualTo(3);
    assertThat(measures.correct()).isEqualTo(2);
    assertThat(measures.loss())
        .isCloseTo(-Math.log(0.9) - Math.log(0.2) - Math.log(0.6), within(1e-6));
  }

  @Test
  void ofSeveralOutputsTheFirstIsMeasured() {
    ExampleShape shape =
        new ExampleShape(
            3,
            3,
            Target.CLASSIFICATION,
            FeatureColumns.PLAIN,
            new ExampleStructure(
                0,
                false,
                List.of(new Input("a", new IndexRange(0, 3))),
                List.of(
                    new Output("kind", new IndexRange(0, 2), Target.CLASSIFICATION),
                    new Output("amount", new IndexRange(2, 3), Target.REGRESSION))));
    float[] predictions = {0.9f, 0.1f, 100, 0.2f, 0.8f, -100};
    float[] labels = {1, 0, 5, 1, 0, 5};

    Measures measures = Measures.of(shape, predictions, labels, null, 2);

    assertThat(measures.examples()).isEqualTo(2);
    assertThat(measures.correct()).isEqualTo(1);
    assertThat(measures.squaredError()).isLessThan(1);
  }

  @Test
  void inputsAndOutputsShareOutAllValues() {
    assertRefused(List.of(new Input("a", new IndexRange(0, 2))), "2 values", "3");
    assertRefused(
        List.of(new Input("a", new IndexRange(0, 1)), new Input("b", new IndexRange(2, 3))),
        "\"b\"");
    assertRefused(
        List.of(new Input("a", new IndexRange(0, 1)), new Input("a", new IndexRange(1, 3))), "two");
  }

  private static void assertRefused(List<Input> inputs, String... parts) {
    ExampleStructure structure = new ExampleStructure(0, false, inputs, List.of());
    assertThatThrownBy(
            () -> new ExampleShape(3, 2, Target.CLASSIFICATION, FeatureColumns.PLAIN, structure))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains(parts);
  }
}
