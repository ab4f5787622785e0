package dev.millrace.benchmark.figure;

import dev.millrace.example.Example;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import java.nio.file.Path;
import java.util.List;

/** How many of a hold-out set's classes published models tell. */
public final class ArchiveAccuracy {

  private static final int ROWS = 500;

  private final ModelEngine engine;
  private final List<Example> holdOut;

  public ArchiveAccuracy(String engine, List<Example> holdOut) {
    this.engine = ModelEngine.named(engine);
    this.holdOut = holdOut;
  }

  /** Measures the accuracy of a model in an archive. */
  public double of(Path archive) {
    ArchivedModel model = engine.readArchive(archive);
    var spec = engine.define(new Archive(archive, holdOut.get(0).shape())).spec();
    try (ModelReplica replica = engine.build(spec, DeviceRequest.any())) {
      replica.write(0, model.vector(), 0, model.vector().length);
      return of(replica, holdOut);
    }
  }

  /** Measures the accuracy of a model as it is. */
  public static double of(ModelReplica replica, List<Example> holdOut) {
    int right = 0;
    for (int from = 0; from < holdOut.size(); from += ROWS) {
      right += right(replica, holdOut.subList(from, Math.min(holdOut.size(), from + ROWS)));
    }
    return right / (double) holdOut.size();
  }

  private static int right(ModelReplica replica, List<Example> rows) {
    int features = rows.get(0).shape().features();
    int outputs = rows.get(0).shape().outputs();
    float[] input = new float[rows.size() * features];
    for (int row = 0; row < rows.size(); row++) {
      System.arraycopy(rows.get(row).features(), 0, input, row * features, features);
    }
    float[] predictions = new float[rows.size() * outputs];
    replica.predict(input, rows.size(), predictions);
    int right = 0;
    for (int row = 0; row < rows.size(); row++) {
      if (greatest(predictions, row * outputs, outputs)
          == greatest(rows.get(row).labels(), 0, outputs)) {
        right++;
      }
    }
    return right;
  }

  private static int greatest(float[] values, int from, int outputs) {
    int greatest = 0;
    for (int i = 1; i < outputs; i++) {
      if (values[from + i] > values[from + greatest]) {
        greatest = i;
      }
    }
    return greatest;
  }
}
