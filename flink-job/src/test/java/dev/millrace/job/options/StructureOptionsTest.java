package dev.millrace.job.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StructureOptionsTest {

  private final Map<String, String> options =
      new TreeMap<>(
          Map.of(
              "kafka.bootstrap.servers", "localhost:9092",
              "input.topics", "examples",
              "input.features", "10",
              "input.outputs", "4",
              "model.name", "linear"));

  @Test
  void aSequencesSizesAreThoseOfItsSteps() {
    options.put("input.sequence.steps", "20");
    options.put("input.sequence.labels", "step");

    assertThat(problems()).isEmpty();
    assertThat(shape())
        .isEqualTo(
            new ExampleShape(
                200,
                4,
                Target.CLASSIFICATION,
                FeatureColumns.PLAIN,
                new ExampleStructure(20, true)));
  }

  @Test
  void inputsAndOutputsStandInTheirOrder() {
    options.put("input.graph.inputs", "user:4;item:6");
    options.put("input.graph.outputs", "amount:1:regression;kind:3");

    assertThat(problems()).isEmpty();
    assertThat(shape())
        .isEqualTo(
            new ExampleShape(
                10,
                4,
                Target.REGRESSION,
                FeatureColumns.PLAIN,
                new ExampleStructure(
                    0,
                    false,
                    List.of(
                        new Input("user", new IndexRange(0, 4)),
                        new Input("item", new IndexRange(4, 10))),
                    List.of(
                        new Output("amount", new IndexRange(0, 1), Target.REGRESSION),
                        new Output("kind", new IndexRange(1, 4), Target.CLASSIFICATION)))));
  }

  @Test
  void labelsOfRecordsBeforeAreFeatures() {
    options.put("input.label-lags", "2");

    assertThat(problems()).isEmpty();
    assertThat(shape()).isEqualTo(new ExampleShape(10, 4, Target.CLASSIFICATION).withLabelLags(2));
    assertThat(shape().features()).isEqualTo(18);
  }

  @Test
  void withoutThemExamplesAreArrays() {
    assertThat(shape()).isEqualTo(new ExampleShape(10, 4, Target.CLASSIFICATION));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          input.sequence.labels=step                        | give input.sequence.steps
          input.sequence.steps=3 input.format=csv           | a line holds no sequence
          input.sequence.steps=300000000                    | more than 2^31 values
          input.graph.inputs=user:4;item:5                  | 9 values together and input.features is '10'
          input.graph.inputs=user:4;user:6                  | has a name twice
          input.graph.inputs=user                           | name:features
          input.graph.inputs=user:0                         | name:features
          input.graph.outputs=kind:3;amount:1               | classification needs at least 2 classes
          input.graph.outputs=kind:3:classes                | name:labels:target
          input.graph.outputs=kind:3                        | 3 values together and input.outputs is '4'
          input.graph.outputs=kind:4 input.classes=a;b;c;d  | give classes by their numbers
          input.graph.outputs=a:1:regression;kind:3 input.target=multi-label | leave input.target out
          input.label-lags=2 input.sequence.steps=3         | features of plain examples alone
          input.label-lags=2 input.graph.inputs=user:4;item:6 | features of plain examples alone
          replay.size=9 replay.keep=class-balanced input.target=regression | examples have no class each
          evaluation.segments=class input.sequence.steps=3 input.sequence.labels=step | examples have no class each
          replay.size=9 replay.half-life=soon | a number of examples of at least 1, or a duration
          """)
  void whatContradictsItselfIsRefused(String changes, String message) {
    for (String change : changes.split(" ", -1)) {
      String[] keyAndValue = change.split("=", 2);
      options.put(keyAndValue[0], keyAndValue[1]);
    }

    assertThat(problems()).singleElement().asString().contains(message);
  }

  private ExampleShape shape() {
    return InputOptions.shape(OptionReader.configuration(options));
  }

  private List<String> problems() {
    InvalidOptionsException failure =
        catchThrowableOfType(
            InvalidOptionsException.class,
            () ->
                JobOptions.check(
                    JobKind.TRAINING, OptionReader.configuration(options), new Configuration()));
    return failure == null ? List.of() : failure.problems();
  }
}
