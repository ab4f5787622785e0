package dev.millrace.benchmark.figure;

import dev.millrace.example.Example;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import java.nio.file.Path;
import java.util.List;

/** How many of a hold-out set's classes published models tell. */
final class ArchiveAccuracy {

  private static final int ROWS = 500;

  private final ModelEngine engine;
  private final List<Example> holdOut;
  private final int features;
  private final int outputs;

  ArchiveAccuracy(String engine, List<Example> holdOut) {
    this.engine = ModelEngine.named(engine);
    this.holdOut = holdOut;
    this.features = holdOut.get(0).shape().features();
    this.outputs = holdOut.get(0).shape().outputs();
  }

  double of(Path archive) {
    ArchivedModel model = engine.readArchive(archive);
    var spec = engine.define(new Archive(archive, holdOut.get(0).shape())).spec();
    int right = 0;
    try (ModelReplica replica = engine.build(spec, DeviceRequest.any())) {
      replica.write(0, model.vector(), 0, model.vector().length);
      for (int from = 0; from < holdOut.size(); from += ROWS) {
        right += right(replica, holdOut.subList(from, Math.min(holdOut.size(), from + ROWS)));
      }
    }
    return right / (double) holdOut.size();
  }

  private int right(ModelReplica replica, List<Example> rows) {
    float[] input = new float[rows.size() * features];
    for (int row = 0; row < rows.size(); row++) {
      System.arraycopy(rows.get(row).features(), 0, input, row * features, features);
    }
    float[] predictions = new float[rows.size() * outputs];
    replica.predict(input, rows.size(), predictions);
    int right = 0;
    for (int row = 0; row < rows.size(); row++) {
      if (greatest(predictions, row * outputs) == greatest(rows.get(row).labels(), 0)) {
        right++;
      }
    }
    return right;
  }

  private int greatest(float[] values, int from) {
    int greatest = 0;
    for (int i = 1; i < outputs; i++) {
      if (values[from + i] > values[from + greatest]) {
        greatest = i;
      }
    }
    return greatest;
  }
}
