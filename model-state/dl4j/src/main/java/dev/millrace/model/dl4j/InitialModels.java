package dev.millrace.model.dl4j;

import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelDefinition.Configuration;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Partition;
import dev.millrace.model.ScoreWeights;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.device.DeviceLease;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.Reason;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.KeptFields;
import dev.millrace.model.shape.NumberColumns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes models from their definitions, each tried with one example before a job relies on it. */
final class InitialModels {

  private InitialModels() {}

  static InitialModel of(BuiltIn definition) {
    String origin = "The built-in network " + definition.name();
    Network network = BuiltInNetworks.of(definition);
    List<LayerDescription> layers = network.layers().descriptions();
    InitialModel model = make(network, null, definition.shape(), origin);
    ScoreWeights.set(definition, model.vector(), layers.get(layers.size() - 1).parameters());
    return model;
  }

  static InitialModel of(Configuration definition) {
    String origin = "The network in " + definition.file();
    return make(
        ConfigurationJson.read(text(definition.file()), origin), null, definition.shape(), origin);
  }

  static ExampleShape shapeOf(Path archive) {
    String origin = origin(archive);
    try {
      return ArchiveShape.of(
          ConfigurationJson.read(Dl4jArchive.readConfiguration(archive), origin), origin);
    } catch (IOException e) {
      throw unreadable("model archive", archive, e);
    }
  }

  private static String origin(Path archive) {
    return "The network in the archive " + archive;
  }

  static InitialModel of(Archive definition) {
    Dl4jLearning.requireNothing(definition.learning(), definition.file());
    String origin = origin(definition.file());
    Dl4jArchive archive = archive(definition.file());
    checkFeatures(archive, definition.shape(), origin);
    return make(archive.network(), archive, definition.shape(), origin);
  }

  /** Makes a model of weights as the configuration initializes them. */
  static InitialModel made(Network network, ExampleShape shape, String origin) {
    return make(network, null, shape, origin);
  }

  /**
   * @param archive what to start from; null for weights as the configuration initializes them
   */
  private static InitialModel make(
      Network network, Dl4jArchive archive, ExampleShape shape, String origin) {
    NetworkCheck.verify(network, shape, origin);
    NativeRoom.require(network, shape, origin);
    long iteration = network.iteration();
    network.setIteration(0);
    String configuration = network.toJson();
    try {
      network.init();
    } catch (RuntimeException e) {
      throw unusable(origin, shape, e);
    }
    ModelSpec spec = spec(network, configuration, shape, origin);
    try (ModelReplica replica = new Dl4jReplica(spec, network, DeviceLease.NONE)) {
      if (archive != null) {
        load(archive, replica, origin);
      }
      float[] vector = vector(archive, replica);
      tryOut(replica, origin);
      return new InitialModel(
          spec,
          vector,
          iteration,
          archive == null ? null : archive.learnedOrNull(),
          archive == null ? ServerOptimizerState.NONE : archive.serverOptimizer());
    }
  }

  private static ModelSpec spec(
      Network network, String configuration, ExampleShape shape, String origin) {
    if (network.parameters() == null || network.parameters().isEmpty()) {
      throw new InvalidModelException(
          origin + " has no parameters, so there is nothing to train; add a layer that has some");
    }
    int parameters = Math.toIntExact(network.parameters().length());
    int updaterState =
        network.updaterState() == null ? 0 : Math.toIntExact(network.updaterState().length());
    return new ModelSpec(
        Dl4jEngine.NAME,
        network.kind().className(),
        configuration,
        shape,
        parameters,
        updaterState,
        nonNegative(network, parameters),
        RunningStatistics.of(network.updaterBlocks()));
  }

  private static List<IndexRange> nonNegative(Network network, int parameters) {
    List<IndexRange> all = new ArrayList<>(RunningStatistics.variances(network.updaterBlocks()));
    all.addAll(NonNegativeState.of(network.updaterBlocks(), parameters));
    return all;
  }

  private static void load(Dl4jArchive archive, ModelReplica replica, String origin) {
    ModelSpec spec = replica.spec();
    checkLength(archive.parameters(), spec.parameters(), "parameters", origin);
    if (archive.updaterState() > 0) {
      checkLength(archive.updaterState(), spec.updaterState(), "values of updater state", origin);
    }
    replica.write(0, archive.vector(), 0, archive.vector().length);
  }

  /** The archive's own array, where it has all of it: models may be too large for a second one. */
  private static float[] vector(Dl4jArchive archiveOrNull, ModelReplica replica) {
    int length = replica.spec().vectorLength();
    if (archiveOrNull != null && archiveOrNull.vector().length == length) {
      return archiveOrNull.vector();
    }
    float[] vector = new float[length];
    replica.read(0, vector, 0, length);
    return vector;
  }

  private static void checkLength(int length, int expected, String what, String origin) {
    if (length != expected) {
      throw new InvalidModelException(
          "%s has %s %s, and its configuration asks for %s; the archive is damaged, write it again"
              .formatted(origin, length, what, expected));
    }
  }

  private static void checkFeatures(Dl4jArchive archive, ExampleShape shape, String origin) {
    if (archive.featuresOrNull() != null) {
      archive.featuresOrNull().requireFor(shape, origin);
      return;
    }
    FeatureStatistics statistics = archive.statisticsOrNull();
    if (statistics == null) {
      return;
    }
    KeptFields.require("", shape.columns().description(), origin);
    if (statistics.features() != NumberColumns.count(shape)) {
      throw new InvalidModelException(
          ("%s has a normalizer of %s features, and the examples have %s; set the number of"
                  + " features, or take the normalizer out of the archive")
              .formatted(origin, statistics.features(), NumberColumns.count(shape)));
    }
  }

  /** Predicts and learns one example: what a configuration hides, this shows. */
  private static void tryOut(ModelReplica replica, String origin) {
    ExampleShape shape = replica.spec().shape();
    float[] predictions = new float[shape.labels()];
    try {
      Minibatch one = oneExample(shape);
      replica.predict(one.features(), one.stepsOrNull(), 1, predictions);
      replica.fit(one, predictions);
    } catch (RuntimeException e) {
      throw unusable(origin, shape, e);
    }
  }

  /** A sequence has all its steps, so that all that is done with any of them is tried. */
  private static Minibatch oneExample(ExampleShape shape) {
    float[] labels = new float[shape.labels()];
    for (int step = 0; step < labels.length; step += shape.outputs()) {
      labels[step] = 1;
      for (ExampleStructure.Output output : shape.structure().outputs()) {
        labels[step + output.labels().from()] = 1;
      }
    }
    Minibatch one = new Minibatch(shape, 1);
    one.add(
        new float[shape.features()],
        labels,
        new String[shape.words()],
        shape.structure().steps(),
        1,
        new Partition("", 0),
        0);
    return one;
  }

  private static InvalidModelException unusable(String origin, ExampleShape shape, Exception e) {
    return new InvalidModelException(
        ("%s fails on an example of %s features and %s outputs: %s; correct its layers' sizes and"
                + " preprocessors, or the shape of the examples")
            .formatted(origin, shape.features(), shape.labels(), e.getMessage()),
        e);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw unreadable("model configuration", file, e);
    }
  }

  /**
   * Reads an archive, of a network that may be of no use for training.
   *
   * @throws InvalidModelException if it can't be read, naming it and the cause
   */
  static Dl4jArchive archive(Path file) {
    try {
      return Dl4jArchive.read(file);
    } catch (IOException e) {
      throw unreadable("model archive", file, e);
    }
  }

  private static InvalidModelException unreadable(String what, Path file, IOException e) {
    return new InvalidModelException(
        "The %s %s can't be read: %s; name a file that DL4J has written"
            .formatted(what, file, Reason.of(e)),
        e);
  }
}
