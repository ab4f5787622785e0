package dev.millrace.job.testing;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Models that no job has trained. */
public final class TestModels {

  private static final TestEngine DL4J = TestEngine.DL4J;

  private TestModels() {}

  /** With random weights, always the same ones. */
  public static InitialModel random(String name, ExampleShape shape) {
    return random(DL4J, name, shape);
  }

  /** As above, of an engine. */
  public static InitialModel random(TestEngine engine, String name, ExampleShape shape) {
    return engine
        .engine()
        .define(
            new BuiltIn(
                name,
                shape,
                name.equals("mlp") ? List.of(16) : List.of(),
                List.of(),
                "sgd",
                0.01,
                0,
                0,
                7));
  }

  /** A weighted sum of the features for each output, and an offset for each. */
  public static InitialModel linear(ExampleShape shape, float... weightsThenOffsets) {
    return linear(DL4J, shape, weightsThenOffsets);
  }

  /** As above, of an engine. */
  public static InitialModel linear(
      TestEngine engine, ExampleShape shape, float... weightsThenOffsets) {
    return new InitialModel(random(engine, "linear", shape).spec(), weightsThenOffsets, 0, null);
  }

  /** Writes it as an archive. */
  public static Path write(InitialModel model, Path archive) throws IOException {
    return write(DL4J, model, archive);
  }

  /** As above, of an engine. */
  public static Path write(TestEngine engine, InitialModel model, Path archive) throws IOException {
    return write(engine, model, new FeatureStatistics(0), archive);
  }

  /** Writes it as an archive, with a normalizer. */
  public static Path write(InitialModel model, FeatureStatistics statistics, Path archive)
      throws IOException {
    return write(DL4J, model, statistics, archive);
  }

  /** As above, of an engine. */
  public static Path write(
      TestEngine engine, InitialModel model, FeatureStatistics statistics, Path archive)
      throws IOException {
    engine
        .engine()
        .writeArchive(
            new GlobalModel(
                model.spec(),
                new ModelVersion(0, 1),
                model.iteration(),
                model.vector(),
                statistics,
                new Ledger(),
                Measures.NONE,
                Lineage.NONE),
            archive);
    return archive;
  }
}
