package dev.millrace.job.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.evaluation.EvaluationResult;
import dev.millrace.example.Example;
import dev.millrace.job.testing.StructuredModels;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StructuredEvaluatorTest {

  private static final int SEQUENCES = 300;

  @TempDir Path directory;

  @Test
  void eachStepIsMeasuredHoweverSequencesAreSharedOut() throws Exception {
    long seed = Seeds.next();
    InitialModel model = StructuredModels.eachStep(directory);
    ExampleShape shape = model.spec().shape();
    List<Example> examples = StructuredModels.examples(shape, SEQUENCES, new Random(seed));
    EvaluatedModel evaluated =
        new EvaluatedModel(
            model.spec(),
            Arrays.copyOf(model.vector(), model.spec().parameters()),
            FeatureCompletion.none(model.spec().shape()));

    EvaluationResult whole = evaluate(evaluated, examples, 1);

    assertThat(whole.examples())
        .as("seed %d", seed)
        .isEqualTo(examples.stream().mapToLong(Example::steps).sum());
    assertThat(evaluate(evaluated, examples, 3))
        .as("seed %d", seed)
        .usingRecursiveComparison()
        .isEqualTo(whole);
  }

  private static EvaluationResult evaluate(EvaluatedModel model, List<Example> examples, int parts)
      throws Exception {
    ExampleShape shape = model.spec().shape();
    Findings merged = Findings.none(shape);
    for (int part = 0; part < parts; part++) {
      try (Evaluator evaluator = new Evaluator(model)) {
        for (int i = part; i < examples.size(); i += parts) {
          examples.get(i).setOrigin(new Partition("t", 0), i);
          evaluator.add(examples.get(i));
        }
        merged.merge(Findings.of(evaluator.findings().toBytes(), shape));
      }
    }
    return merged.evaluation().result(List.of("no", "yes"));
  }
}
