package dev.millrace.job.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.evaluation.ClassificationResult;
import dev.millrace.evaluation.EvaluationResult;
import dev.millrace.evaluation.RegressionResult;
import dev.millrace.example.Example;
import dev.millrace.example.RejectedRecord;
import dev.millrace.job.testing.TestModels;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Partition;
import dev.millrace.model.features.Standardization;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvaluatorTest {

  private static final List<String> TEN = List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");

  @ParameterizedTest
  @ValueSource(strings = {"lenet", "mlp"})
  void howExamplesAreSharedOutMakesNoDifference(String network) throws IOException {
    long seed = Seeds.next();
    ExampleShape shape = new ExampleShape(28 * 28, 10, Target.CLASSIFICATION);
    EvaluatedModel model = evaluated(TestModels.random(network, shape), null);
    List<Example> examples = random(shape, 300, new Random(seed));

    EvaluationResult whole = evaluate(model, examples, 1, TEN);

    assertThat(whole.examples()).isEqualTo(300);
    for (int parts : new int[] {2, 5}) {
      assertThat(evaluate(model, examples, parts, TEN))
          .as("%d parts, seed %d", parts, seed)
          .usingRecursiveComparison()
          .isEqualTo(whole);
    }
  }

  @Test
  void featuresGoThroughTheModelsNormalizer() throws IOException {
    ExampleShape shape = new ExampleShape(1, 1, Target.REGRESSION);
    InitialModel doubled = TestModels.linear(shape, 2, 1);
    Standardization standardization = new Standardization(new float[] {10}, new float[] {4}, 50);
    List<Example> examples = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Example example = new Example(shape);
      example.features()[0] = i;
      example.labels()[0] = 2 * Math.min(50, (i - 10) / 4f) + 1;
      examples.add(at(i, example));
    }

    EvaluationResult result =
        evaluate(evaluated(doubled, standardization), examples, 1, List.of("y"));

    assertThat(((RegressionResult) result).mean().meanAbsoluteError()).isZero();
  }

  @Test
  void theLastExamplesCountThoughTheirBatchIsNotFull() throws IOException {
    ExampleShape shape = new ExampleShape(2, 2, Target.CLASSIFICATION);
    EvaluatedModel model = evaluated(TestModels.linear(shape, 1, 0, 0, 1, 0, 0), null);
    List<Example> examples = new ArrayList<>();
    for (int i = 0; i < Batch.ROWS + 3; i++) {
      Example example = new Example(shape);
      example.features()[i % 2] = 1;
      example.setClass(i % 2);
      examples.add(at(i, example));
    }

    ClassificationResult result =
        (ClassificationResult) evaluate(model, examples, 1, List.of("a", "b"));

    assertThat(result.confusion()).isDeepEqualTo(new long[][] {{130, 0}, {0, 129}});
  }

  @Test
  void examplesOfMorePartitionsThanFitAreAllMeasured() throws IOException {
    ExampleShape shape = new ExampleShape(2, 2, Target.CLASSIFICATION);
    EvaluatedModel model = evaluated(TestModels.linear(shape, 1, 0, 0, 1, 0, 0), null);
    List<Example> examples = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Example example = new Example(shape);
      example.features()[i % 2] = 1;
      example.setClass(i % 2);
      // Now and then an offset is left out, and a partition is left for long.
      example.setOrigin(new Partition("t", i % 100), i / 100 * 200L);
      examples.add(example);
    }

    ClassificationResult result =
        (ClassificationResult) evaluate(model, examples, 1, List.of("a", "b"));

    assertThat(result.confusion()).isDeepEqualTo(new long[][] {{250, 0}, {0, 250}});
  }

  @Test
  void rejectedRecordsAreCounted() {
    ExampleShape shape = new ExampleShape(2, 2, Target.CLASSIFICATION);
    try (Evaluator evaluator = new Evaluator(evaluated(TestModels.random("linear", shape), null))) {
      evaluator.reject(
          new RejectedRecord(new Partition("t", 0), 5, 0, null, new byte[1], "no example"));

      assertThat(evaluator.findings().rejected().count()).isEqualTo(1);
      assertThat(evaluator.findings().evaluation().examples()).isZero();
    }
  }

  @Test
  void whatTheModelCannotComputeWithIsRejectedAndTheRestMeasured() {
    ModelSpec spec = SummingEngine.spec(1);
    EvaluatedModel model = new EvaluatedModel(spec, new float[1], null);
    try (Evaluator evaluator = new Evaluator(model)) {
      for (int i = 300; i < 310; i++) {
        Example example = new Example(spec.shape());
        example.features()[0] = i == 304 ? Float.NEGATIVE_INFINITY : i;
        evaluator.add(at(i, example));
      }

      assertThat(evaluator.findings().evaluation().examples()).isEqualTo(9);
      assertThat(evaluator.findings().rejected().first())
          .singleElement()
          .satisfies(
              rejected -> {
                assertThat(rejected.offset()).isEqualTo(1_000_304);
                assertThat(rejected.reason()).startsWith("the network can't compute with it: ");
              });
    }
  }

  private static EvaluatedModel evaluated(InitialModel model, Standardization standardization) {
    return new EvaluatedModel(
        model.spec(),
        model.vector(),
        standardization == null
            ? null
            : FeatureCompletion.of(model.spec().shape(), standardization));
  }

  private static List<Example> random(ExampleShape shape, int count, Random random) {
    List<Example> examples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Example example = new Example(shape);
      for (int f = 0; f < shape.features(); f++) {
        example.features()[f] = random.nextFloat();
      }
      example.setClass(random.nextInt(shape.outputs()));
      examples.add(at(i, example));
    }
    return examples;
  }

  /** From the last offsets of some partition on. */
  private static Example at(int index, Example example) {
    example.setOrigin(new Partition("t", 0), 1_000_000 + index);
    return example;
  }

  /** Example i goes to evaluator i modulo their number; they are merged as bytes. */
  private static EvaluationResult evaluate(
      EvaluatedModel model, List<Example> examples, int parts, List<String> names)
      throws IOException {
    ExampleShape shape = model.spec().shape();
    Findings merged = Findings.none(shape);
    for (int part = 0; part < parts; part++) {
      try (Evaluator evaluator = new Evaluator(model)) {
        for (int i = part; i < examples.size(); i += parts) {
          evaluator.add(examples.get(i));
        }
        merged.merge(Findings.of(evaluator.findings().toBytes(), shape));
      }
    }
    return merged.evaluation().result(names);
  }
}
