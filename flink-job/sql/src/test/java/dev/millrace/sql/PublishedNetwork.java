package dev.millrace.sql;

import dev.millrace.job.testing.TellingModels;
import dev.millrace.job.testing.TestModels;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.NumberColumns;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.DoubleStream;

/** A network with random weights that standardizes, as training publishes it; and its answers. */
public record PublishedNetwork(InitialModel network, FeatureStatistics statistics) {

  public static PublishedNetwork of(ExampleShape shape) {
    int numbers = NumberColumns.count(shape);
    return new PublishedNetwork(
        TestModels.random("mlp", shape),
        FeatureStatistics.of(
            10,
            DoubleStream.iterate(1, mean -> mean + 1).limit(numbers).toArray(),
            DoubleStream.iterate(30, deviation -> deviation + 10).limit(numbers).toArray()));
  }

  /** Publishes it as version 1.1. */
  public PublishedNetwork publish(Path directory, Map<String, String> options) throws Exception {
    TellingModels.publish(
        directory,
        new GlobalModel(
            network.spec(),
            new ModelVersion(1, 1),
            1,
            parameters(),
            statistics,
            new Ledger(),
            Measures.NONE,
            new Lineage(null, options)));
    return this;
  }

  private float[] parameters() {
    return Arrays.copyOf(network.vector(), network.spec().parameters());
  }

  /** What it answers, by the engine alone. */
  public float[] predict(float... features) {
    ExampleShape shape = network.spec().shape();
    float[] outputs = new float[shape.outputs()];
    float[] completed = features.clone();
    FeatureCompletion.of(shape, statistics.standardization())
        .apply(completed, new String[0], null, 1);
    try (ModelReplica replica =
        ModelEngine.named("dl4j").build(network.spec(), DeviceRequest.any())) {
      replica.write(0, parameters(), 0, network.spec().parameters());
      replica.predict(completed, null, 1, outputs);
    }
    return outputs;
  }
}
