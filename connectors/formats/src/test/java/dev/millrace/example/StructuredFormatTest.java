package dev.millrace.example;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequences, and examples of several arrays, in the plain formats. */
class StructuredFormatTest {

  private static final ExampleShape LAST = sequences(3, Target.CLASSIFICATION, false);
  private static final ExampleShape EACH = sequences(3, Target.CLASSIFICATION, true);
  private static final ExampleShape NUMBERS = sequences(2, Target.REGRESSION, true);
  private static final ExampleShape NAMED =
      new ExampleShape(
          3,
          5,
          Target.CLASSIFICATION,
          FeatureColumns.PLAIN,
          new ExampleStructure(
              0,
              false,
              List.of(new Input("a", new IndexRange(0, 2)), new Input("b", new IndexRange(2, 3))),
              List.of(
                  new Output("kind", new IndexRange(0, 3), Target.CLASSIFICATION),
                  new Output("amount", new IndexRange(3, 5), Target.REGRESSION))));

  private static ExampleShape sequences(int outputs, Target target, boolean each) {
    return new ExampleShape(
        4 * 2, outputs, target, FeatureColumns.PLAIN, new ExampleStructure(4, each));
  }

  @Test
  void aSequenceIsAnArrayOfSteps() throws InvalidExampleException {
    Example example = read(LAST, "{\"features\":[[1,2],[3,4]],\"label\":2}");

    assertThat(example.steps()).isEqualTo(2);
    assertThat(example.features()).containsExactly(1, 2, 3, 4, 0, 0, 0, 0);
    assertThat(example.labels()).containsExactly(0, 0, 1);
  }

  @Test
  void eachStepMayHaveALabel() throws InvalidExampleException {
    Example classes = read(EACH, "{\"label\":[2,0],\"features\":[[1,2],[3,4]]}");
    assertThat(classes.labels()).containsExactly(0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0);

    Example rows = read(EACH, "{\"features\":[[1,2],[3,4]],\"labels\":[[0,0,1],[1,0,0]]}");
    assertThat(rows.labels()).isEqualTo(classes.labels());

    Example numbers = read(NUMBERS, "{\"features\":[[1,2]],\"labels\":[[5,6]]}");
    assertThat(numbers.labels()).containsExactly(5, 6, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void classesOfStepsMayHaveNames() throws InvalidExampleException {
    ExampleFormat format =
        ExampleFormat.named(
            "json", EACH, FormatSettings.defaults().withClassNames(List.of("x", "y", "z")));
    Example example = new Example(EACH);
    format.read("{\"features\":[[1,2],[3,4]],\"label\":[\"z\",\"x\"]}".getBytes(UTF_8), example);

    assertThat(example.labels()).containsExactly(0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void inputsAndOutputsHaveNames() throws InvalidExampleException {
    Example example =
        read(
            NAMED,
            "{\"features\":{\"b\":[3],\"a\":[1,2]},\"labels\":{\"kind\":1,\"amount\":[0.5,-1]}}");
    assertThat(example.features()).containsExactly(1, 2, 3);
    assertThat(example.labels()).containsExactly(0, 1, 0, 0.5f, -1);

    Example arrays = read(NAMED, "{\"features\":[1,2,3],\"labels\":[0,1,0,0.5,-1]}");
    assertThat(arrays.features()).isEqualTo(example.features());
    assertThat(arrays.labels()).isEqualTo(example.labels());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]                          | 1       | a sequence of 1 to 4 steps expected, one of 0",
        "[[1,2],[1,2],[1,2],[1,2],5] | 1       | a sequence of 1 to 4 steps expected, one of 5",
        "[[1,2],[3]]                 | [1,1]   | 2 features expected, 1 found",
        "[[1,2],3]                   | [1,1]   | a step of \"features\" is a number",
        "[1,2]                       | [1,1]   | a step of \"features\" is a number",
        "{}                          | [1,1]   | \"features\" is an object, an array expected",
        "[[1,\"2\"]]                 | [1]     | feature 1 is a string",
        "[[1,1e300]]                 | [1]     | beyond the range of float",
        "[[1,2],[3,4]]               | [1]     | labels of 2 steps expected, of 1 found",
        "[[1,2]]                     | [1,1]   | labels of 1 steps expected, of 2 found",
        "[[1,2]]                     | [3]     | label 3 is out of range",
        "[[1,2]]                     | 1       | \"label\" is a number, an array expected",
      })
  void whatIsNoSequenceIsRejected(String features, String label, String reason) {
    String json = "{\"features\":%s,\"label\":%s}".formatted(features, label);
    assertThatThrownBy(() -> read(EACH, json))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":[1,2]}           | {\"kind\":1,\"amount\":[1,2]}       | \"features\" has no \"b\"",
        "{\"a\":[1,2],\"c\":[1]} | {\"kind\":1,\"amount\":[1,2]}       | has \"c\", expected are a, b",
        "{\"a\":[1,2],\"a\":[1]} | {\"kind\":1,\"amount\":[1,2]}       | has \"a\" twice",
        "{\"a\":[1],\"b\":[1]}   | {\"kind\":1,\"amount\":[1,2]}       | 2 features expected, 1 found",
        "[1,2,3]                 | {\"kind\":3,\"amount\":[1,2]}       | no class of 0 to 2",
        "[1,2,3]                 | {\"kind\":[1,1,0],\"amount\":[1,2]} | one label of 1 expected, 2 found",
        "[1,2,3]                 | {\"kind\":1,\"amount\":1}           | 2 labels expected, 1 found",
        "[1,2,3]                 | {\"kind\":\"x\",\"amount\":[1,2]}   | a number expected",
        "[1,2,3]                 | [1,0,0,1]                           | 5 labels expected, 4 found",
      })
  void whatDoesntFitTheNamesIsRejected(String features, String labels, String reason) {
    String json = "{\"features\":%s,\"labels\":%s}".formatted(features, labels);
    assertThatThrownBy(() -> read(NAMED, json))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "float32"})
  void readsWhatItWrote(String name, TestInfo test) throws InvalidExampleException {
    Random random = random(test);
    for (ExampleShape shape : List.of(LAST, EACH, NUMBERS, NAMED)) {
      ExampleFormat format = ExampleFormat.named(name, shape, FormatSettings.defaults());
      Example into = new Example(shape);
      Arrays.fill(into.features(), 9);
      Arrays.fill(into.labels(), 9);
      for (int i = 0; i < 20; i++) {
        Example example = example(shape, random);
        into.reset();
        format.read(format.write(example), into);

        assertThat(into.features()).isEqualTo(example.features());
        assertThat(into.labels()).isEqualTo(example.labels());
        assertThat(into.steps()).isEqualTo(example.steps());
      }
    }
  }

  @Test
  void bytesTellTheLengthOfASequence() {
    byte[] five = new byte[16 + 5 * 4];
    System.arraycopy(new byte[] {'M', 'R', 'X', 'B', 1, 1, 1, 0, 5}, 0, five, 0, 9);
    five[12] = 1;
    assertThatThrownBy(
            () ->
                ExampleFormat.named("float32", LAST, FormatSettings.defaults())
                    .read(five, new Example(LAST)))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining("a multiple of 2 features up to 8 expected, 5 found");
  }

  @Test
  void labelsThatNobodyNeedsAreNotLookedAt() throws InvalidExampleException {
    ExampleFormat format = ExampleFormat.unlabelled("json", EACH, FormatSettings.defaults());
    Example example = new Example(EACH);
    format.read("{\"features\":[[1,2],[3,4],[5,6]]}".getBytes(UTF_8), example);

    assertThat(example.steps()).isEqualTo(3);
  }

  @Test
  void linesHoldNoSequences() {
    assertThatThrownBy(() -> ExampleFormat.named("csv", LAST, FormatSettings.defaults()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("csv holds no sequences", "json");
  }

  @Test
  void aLineHoldsTheLabelsOfAllOutputs() throws InvalidExampleException {
    Example example = new Example(NAMED);
    ExampleFormat.named("csv", NAMED, FormatSettings.defaults())
        .read("1,2,3,0,1,0,0.5,-1".getBytes(UTF_8), example);

    assertThat(example.features()).containsExactly(1, 2, 3);
    assertThat(example.labels()).containsExactly(0, 1, 0, 0.5f, -1);
  }

  private static Random random(TestInfo test) {
    long seed = Seeds.next();
    System.out.printf("%s: seed %d%n", test.getDisplayName(), seed);
    return new Random(seed);
  }

  private static Example example(ExampleShape shape, Random random) {
    Example example = new Example(shape);
    int steps = shape.structure().isSequence() ? 1 + random.nextInt(shape.rows()) : 0;
    example.setSteps(steps);
    for (int i = 0; i < Math.max(1, steps) * shape.width(); i++) {
      example.features()[i] = random.nextFloat();
    }
    for (int step = 0; step < (shape.structure().labelPerStep() ? steps : 1); step++) {
      int at = step * shape.outputs();
      if (shape.target() == Target.CLASSIFICATION) {
        example.labels()[at + random.nextInt(3)] = 1;
      } else {
        example.labels()[at] = random.nextFloat();
      }
      if (!shape.structure().outputs().isEmpty()) {
        example.labels()[at + 4] = random.nextFloat();
      }
    }
    return example;
  }

  private static Example read(ExampleShape shape, String json) throws InvalidExampleException {
    Example example = new Example(shape);
    // As a reader has it: full of the record before.
    Arrays.fill(example.features(), 9);
    Arrays.fill(example.labels(), 9);
    ExampleFormat.named("json", shape, FormatSettings.defaults())
        .read(json.getBytes(UTF_8), example);
    return example;
  }
}
