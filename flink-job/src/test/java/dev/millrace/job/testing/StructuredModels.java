package dev.millrace.job.testing;

import dev.millrace.example.Example;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Models of sequences that no job has trained, and sequences for them. */
public final class StructuredModels {

  private StructuredModels() {}

  /** A class for each of up to seven steps of three values. */
  public static InitialModel eachStep(Path directory) throws IOException {
    ExampleShape shape =
        new ExampleShape(
            21, 2, Target.CLASSIFICATION, FeatureColumns.PLAIN, new ExampleStructure(7, true));
    Path file = StructuredNetworks.write(StructuredNetworks.truncated(), directory);
    return ModelEngine.named("dl4j").define(new ModelDefinition.Configuration(file, shape));
  }

  /** Sequences of one to all steps; a step's class says whether its first value is above 0. */
  public static List<Example> examples(ExampleShape shape, int count, Random random) {
    List<Example> examples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Example example = new Example(shape);
      example.setSteps(1 + random.nextInt(shape.rows()));
      for (int value = 0; value < example.steps() * shape.width(); value++) {
        example.features()[value] = (float) random.nextGaussian();
      }
      for (int step = 0; step < example.steps(); step++) {
        boolean second = example.features()[step * shape.width()] > 0;
        example.labels()[step * shape.outputs() + (second ? 1 : 0)] = 1;
      }
      examples.add(example);
    }
    return examples;
  }
}
