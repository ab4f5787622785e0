package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.InvalidModelException;
import dev.millrace.model.Lineage;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SavedModelTest {

  private static final String CLASSES = "input.classes";

  @Test
  void aModelOfOtherClassesIsRefused() {
    SavedModel saved = model(Map.of(CLASSES, "setosa;versicolor;virginica"));
    SavedModel swapped = model(Map.of(CLASSES, "versicolor;setosa;virginica"));

    assertThatThrownBy(() -> swapped.checkAgainst(saved))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining(
            "names of the classes: [setosa, versicolor, virginica] there,"
                + " [versicolor, setosa, virginica] here");
  }

  @Test
  void classesAreComparedByNameWhereBothHaveNames() {
    SavedModel named = model(Map.of(CLASSES, "a;b;c"));

    assertThatCode(
            () -> {
              named.checkAgainst(model(Map.of(CLASSES, "'a'; b;c", "batch.size", "8")));
              named.checkAgainst(model(Map.of()));
              model(Map.of()).checkAgainst(named);
            })
        .doesNotThrowAnyException();
  }

  private static SavedModel model(Map<String, String> options) {
    ExampleShape shape = new ExampleShape(2, 3, Target.CLASSIFICATION);
    ModelSpec spec = new ModelSpec("dl4j", "MultiLayerNetwork", "{}", shape, 9, 0, List.of());
    return new SavedModel(spec, spec.layout(4, true), new Lineage(null, options));
  }
}
