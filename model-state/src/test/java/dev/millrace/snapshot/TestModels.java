package dev.millrace.snapshot;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** A model of five numbers, and an engine that writes its version as its archive. */
final class TestModels {

  private TestModels() {}

  static GlobalModel model(long generation, long round) {
    return model(generation, round, Lineage.NONE);
  }

  static GlobalModel model(long generation, long round, Lineage lineage) {
    ExampleShape shape = new ExampleShape(1, 2, Target.CLASSIFICATION);
    Ledger ledger = new Ledger();
    ledger.learned(new Partition("examples", 1), 5);
    ledger.learned(new Partition("examples", 1), 6);
    FeatureStatistics statistics = new FeatureStatistics(1);
    statistics.add(new float[] {1, 2}, 2);
    statistics.setClip(10);
    return new GlobalModel(
        new ModelSpec("test", "kind", "{}", shape, 3, 2, List.of()),
        new ModelVersion(generation, round),
        77,
        new float[5],
        statistics,
        ledger,
        new Measures(2, 1, 1, 0, 0),
        lineage);
  }

  /** The moving average in the place of the newest parameters. */
  static GlobalModel movingAverage(long generation, long round) {
    GlobalModel newest = model(generation, round);
    return new GlobalModel(
        newest.spec(),
        newest.version(),
        newest.iteration(),
        new float[newest.spec().parameters()],
        newest.statistics(),
        newest.ledger(),
        newest.prequential(),
        newest.lineage(),
        ServerOptimizerState.NONE,
        true);
  }

  /** Fails halfway where the round is {@code failingRound}. */
  static WritingEngine engine(long failingRound) {
    return (model, description, file) -> {
      Files.writeString(file, model.version().toString());
      if (model.version().round() == failingRound) {
        throw new IOException("No space left on device");
      }
    };
  }
}
