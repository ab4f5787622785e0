package dev.millrace.onnx;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ServableModel;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Vocabularies;
import dev.millrace.model.features.WordCounts;
import dev.millrace.model.population.Member;
import dev.millrace.model.population.Population;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.NumberColumns;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Models with parameters as training might leave them: none is what it began with. */
final class Models {

  /** Small enough for the sums of wide layers to stay as those of trained ones are. */
  private static final double NEAR = 0.1;

  private Models() {}

  static ExampleShape flat(int features, int outputs, Target target) {
    return new ExampleShape(features, outputs, target);
  }

  static ExampleShape classes(int features, int outputs) {
    return flat(features, outputs, Target.CLASSIFICATION);
  }

  static ExampleShape sequences(int steps, int width, int outputs, boolean labelPerStep) {
    return new ExampleShape(
        steps * width,
        outputs,
        Target.CLASSIFICATION,
        FeatureColumns.PLAIN,
        new ExampleStructure(steps, labelPerStep));
  }

  /** Of DL4J's configuration. */
  static ServableModel dl4j(String json, ExampleShape shape, Random random) {
    return servable(initial(json, shape), random);
  }

  private static InitialModel initial(String json, ExampleShape shape) {
    try {
      Path file = Files.createTempFile("configuration-", ".json");
      Files.writeString(file, json);
      return ModelEngine.named("dl4j").define(new ModelDefinition.Configuration(file, shape));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A network that comes with Millrace. */
  static ServableModel builtIn(
      String engine, String name, ExampleShape shape, List<Integer> hidden, Random random) {
    return servable(builtIn(engine, name, shape, hidden), random);
  }

  private static InitialModel builtIn(
      String engine, String name, ExampleShape shape, List<Integer> hidden) {
    return ModelEngine.named(engine)
        .define(
            new ModelDefinition.BuiltIn(name, shape, hidden, List.of(), "adam", 0.01, 0.9, 0, 1));
  }

  /** Three of these, which have predicted differently well. */
  static ServableModel population(String engine, ExampleShape shape, Random random) {
    List<InitialModel> models =
        IntStream.range(0, 3).mapToObj(i -> builtIn(engine, "mlp", shape, List.of(7))).toList();
    List<Member> members =
        models.stream().map(model -> Member.of(model.spec(), 0.01, null)).toList();
    ServableModel population = servable(new Population(0.9, 1, 0, members).begin(models), random);
    int losses = population.spec().parameters() - members.size();
    for (int i = 0; i < members.size(); i++) {
      population.vector()[losses + i] = random.nextFloat() / 10;
    }
    return population;
  }

  static ServableModel servable(InitialModel model, Random random) {
    return servable(model, learned(model.spec().shape(), random), random);
  }

  static ServableModel servable(InitialModel model, LearnedFeatures learned, Random random) {
    return new ServableModel(
        model.spec(), moved(model.spec(), model.vector(), random), learned, List.of(), Map.of());
  }

  /** Without standardization, as networks have it that take ids. */
  static ServableModel raw(ServableModel model) {
    return new ServableModel(
        model.spec(),
        model.vector(),
        LearnedFeatures.none(model.spec().shape(), false),
        model.classes(),
        model.facts());
  }

  /** Biases and running statistics begin with 0 or 1, which would hide their places. */
  private static float[] moved(ModelSpec spec, float[] vector, Random random) {
    float[] moved = vector.clone();
    for (int i = 0; i < spec.parameters(); i++) {
      moved[i] += (float) (NEAR * random.nextGaussian());
    }
    for (IndexRange range : spec.nonNegative()) {
      for (int i = range.from(); i < Math.min(range.to(), spec.parameters()); i++) {
        moved[i] = 0.5f + random.nextFloat();
      }
    }
    return moved;
  }

  private static LearnedFeatures learned(ExampleShape shape, Random random) {
    int numbers = NumberColumns.count(shape);
    double[] mean = random.doubles(numbers, -5, 5).toArray();
    double[] deviation = random.doubles(numbers, 0.1, 4).toArray();
    FeatureStatistics statistics = FeatureStatistics.of(1000, mean, deviation);
    boolean clips = shape.target() != Target.REGRESSION;
    statistics.setClip(clips ? 3 : Double.POSITIVE_INFINITY);
    Vocabularies vocabularies = new Vocabularies(shape.columns().words());
    if (vocabularies.columns() > 0) {
      WordCounts counts = new WordCounts(vocabularies.columns());
      for (int column = 0; column < vocabularies.columns(); column++) {
        for (String word : new ArrayList<>(List.of("", "tcp", "m\u00fcller", "\ud83d\ude00"))) {
          counts.add(column, word);
          counts.add(column, word);
        }
      }
      vocabularies.merge(counts);
      vocabularies.fill();
    }
    return new LearnedFeatures(statistics, vocabularies);
  }
}
