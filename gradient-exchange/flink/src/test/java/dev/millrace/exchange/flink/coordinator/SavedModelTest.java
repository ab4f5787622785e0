package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.Lineage;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.FieldShapes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
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

  /** Both keep one number a parameter: a velocity would be read as a mean of squares. */
  @Test
  void anotherUpdaterIsRefusedThoughItsStateIsAsLarge() {
    SavedModel saved = trainedBy("nesterovs", 0.1);

    assertThatThrownBy(() -> trainedBy("rmsprop", 0.1).checkAgainst(saved))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("updater: Nesterovs there, RmsProp here");
    assertThatCode(() -> trainedBy("nesterovs", 0.01).checkAgainst(saved))
        .as("at another learning rate")
        .doesNotThrowAnyException();
  }

  private static SavedModel trainedBy(String updater, double learningRate) {
    ModelSpec spec =
        ModelEngine.named("dl4j")
            .define(
                new BuiltIn(
                    "linear",
                    new ExampleShape(2, 3, Target.CLASSIFICATION),
                    List.of(),
                    List.of(),
                    updater,
                    learningRate,
                    0.9,
                    0,
                    1))
            .spec();
    return new SavedModel(spec, spec.layout(4, true), Lineage.NONE);
  }

  @Test
  void aModelOfOtherFieldsIsRefusedByTheFirstThatDiffers() {
    SavedModel saved = model(FieldShapes.flow(3), Map.of());
    SavedModel renamed = model(FieldShapes.renamed(3), Map.of());

    assertThatThrownBy(() -> renamed.checkAgainst(saved))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("fields: field 1 is \"flag\"", "there, and \"urgent\"", "here");
    assertThatThrownBy(() -> model(Map.of()).checkAgainst(saved))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("made of named fields, and the examples have none");
  }

  @Test
  void bytesBringTheWholeShapeBack() throws IOException {
    ExampleShape plain = new ExampleShape(2, 3, Target.CLASSIFICATION);
    for (ExampleShape shape : List.of(plain, FieldShapes.flow(3), FieldShapes.flows(4), graph())) {
      SavedModel saved = model(shape, Map.of());
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      SavedModel.WIRE.write(saved, new DataOutputStream(bytes));

      assertThat(
              SavedModel.WIRE
                  .read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())))
                  .spec())
          .isEqualTo(saved.spec());
    }
  }

  private static ExampleShape graph() {
    ExampleStructure structure =
        new ExampleStructure(
            0,
            false,
            List.of(
                new ExampleStructure.Input("a", new IndexRange(0, 2)),
                new ExampleStructure.Input("b", new IndexRange(2, 5))),
            List.of(
                new ExampleStructure.Output("c", new IndexRange(0, 3), Target.CLASSIFICATION),
                new ExampleStructure.Output("d", new IndexRange(3, 4), Target.REGRESSION)));
    return new ExampleShape(5, 4, Target.CLASSIFICATION, FeatureColumns.PLAIN, structure);
  }

  private static SavedModel model(Map<String, String> options) {
    return model(new ExampleShape(2, 3, Target.CLASSIFICATION), options);
  }

  private static SavedModel model(ExampleShape shape, Map<String, String> options) {
    ModelSpec spec = new ModelSpec("dl4j", "MultiLayerNetwork", "{}", shape, 9, 0, List.of());
    return new SavedModel(spec, spec.layout(4, true), new Lineage(null, options));
  }
}
