package dev.millrace.serve;

import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Networks of real engines, as small as they come. */
final class TrainedModels {

  static final ExampleShape FLOWERS = new ExampleShape(4, 3, Target.CLASSIFICATION);
  static final List<String> NAMES = List.of("setosa", "versicolor", "virginica");

  private TrainedModels() {}

  /** Of named classes, with features that are standardized. */
  static GlobalModel flowers(String engine, long round) {
    GlobalModel plain =
        model(
            engine,
            "mlp",
            FLOWERS,
            List.of(8),
            round,
            FeatureStatistics.of(
                10, new double[] {5.8, 3.1, 3.8, 1.2}, new double[] {0.8, 0.4, 1.8, 0.8}));
    return TellingModels.trainedWith(Map.of("input.classes", String.join(";", NAMES)), plain);
  }

  /**
   * Of any shape.
   *
   * @param round also the seed of its weights
   */
  static GlobalModel model(
      String engine,
      String name,
      ExampleShape shape,
      List<Integer> hidden,
      long round,
      FeatureStatistics statistics) {
    return model(
        ModelEngine.named(engine)
            .define(
                new ModelDefinition.BuiltIn(
                    name, shape, hidden, List.of(), "sgd", 0.1, 0.9, 0, round)),
        round,
        statistics);
  }

  /** A network with its first weights. */
  static GlobalModel model(InitialModel initial, long round, FeatureStatistics statistics) {
    return new GlobalModel(
        initial.spec(),
        new ModelVersion(1, round),
        round,
        Arrays.copyOf(initial.vector(), initial.spec().parameters()),
        statistics,
        new Ledger(),
        Measures.NONE,
        Lineage.NONE);
  }

  /** What is learned where nothing is. */
  static FeatureStatistics none(ExampleShape shape) {
    return LearnedFeatures.none(shape, false).statistics();
  }
}
