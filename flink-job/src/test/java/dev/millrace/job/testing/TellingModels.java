package dev.millrace.job.testing;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotWriter;
import dev.millrace.snapshot.Writers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Linear networks of DL4J that tell their version. Of the feature x, the first output is x again,
 * if parameters and standardization are of one version; the second is the version's round.
 */
public final class TellingModels {

  public static final ExampleShape SHAPE = new ExampleShape(1, 2, Target.REGRESSION);

  private static final ModelEngine ENGINE = ModelEngine.named("dl4j");
  private static final Map<String, ModelSpec> SPECS = new ConcurrentHashMap<>();

  private TellingModels() {}

  /** Publishes one in a directory, as a training job does. */
  public static Snapshot publish(Path directory, long round) throws IOException {
    return publish(directory, model(SHAPE, round));
  }

  public static Snapshot publish(Path directory, GlobalModel model) throws IOException {
    SnapshotDescription written =
        new SnapshotWriter(
                SnapshotStore.directory(directory),
                ENGINE,
                Optional.empty(),
                new Retention(3, 0, 0),
                InstantSource.system(),
                new Writers(List.of("one"), -1),
                Optional.empty())
            .write(model, Optional.empty());
    return new Snapshot(
        model.version(),
        directory.resolve(written.archive()),
        directory.resolve("model-%s.json".formatted(model.version())));
  }

  /** Where a published model lies. */
  public record Snapshot(ModelVersion version, Path archive, Path description) {}

  /** All weights of all outputs but the first are 0; further features count nothing. */
  public static GlobalModel model(ExampleShape shape, long round) {
    return model(shape, round, "sgd");
  }

  /** As the other, with an updater, which makes it another network. */
  public static GlobalModel model(ExampleShape shape, long round, String updater) {
    ModelSpec spec =
        SPECS.computeIfAbsent(updater + shape, any -> ENGINE.define(linear(shape, updater)).spec());
    float[] parameters = new float[spec.parameters()];
    parameters[0] = 1;
    for (int bias = 1; bias <= shape.outputs(); bias++) {
      parameters[parameters.length - bias] = round;
    }
    double[] means = new double[shape.features()];
    double[] deviations = new double[shape.features()];
    means[0] = round;
    return new GlobalModel(
        spec,
        new ModelVersion(1, round),
        round,
        parameters,
        FeatureStatistics.of(10, means, deviations),
        new Ledger(),
        Measures.NONE,
        Lineage.NONE);
  }

  /** What the engine makes these networks of. */
  public static ModelDefinition definition() {
    return linear(SHAPE, "sgd");
  }

  /** The same model, of a job with these options. */
  public static GlobalModel trainedWith(Map<String, String> options, GlobalModel model) {
    return new GlobalModel(
        model.spec(),
        model.version(),
        model.iteration(),
        model.vector(),
        model.statistics(),
        model.ledger(),
        model.prequential(),
        new Lineage(null, options));
  }

  /** The same model, as a moving average. */
  public static GlobalModel movingAverage(GlobalModel model) {
    return new GlobalModel(
        model.spec(),
        model.version(),
        model.iteration(),
        model.vector(),
        model.statistics(),
        model.ledger(),
        model.prequential(),
        model.lineage(),
        ServerOptimizerState.NONE,
        true);
  }

  private static ModelDefinition linear(ExampleShape shape, String updater) {
    return new ModelDefinition.BuiltIn(
        "linear", shape, List.of(), List.of(), updater, 0.1, 0.9, 0, 1);
  }
}
