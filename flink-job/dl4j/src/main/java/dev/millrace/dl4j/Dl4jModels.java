package dev.millrace.dl4j;

import dev.millrace.dl4j.run.NetworkState;
import dev.millrace.job.models.LocatedModel;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.flink.annotation.PublicEvolving;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;

/** Networks of DL4J as models of {@link dev.millrace.api.Millrace}, and back. */
@PublicEvolving
public final class Dl4jModels {

  private static final ModelEngine ENGINE = ModelEngine.named("dl4j");

  private Dl4jModels() {}

  /**
   * Returns a model that starts as a network is, its updater's state included. Features, outputs
   * and target follow from the layers. The network stays as it is.
   *
   * @throws dev.millrace.model.io.InvalidModelException if the layers don't tell, as of sequences
   */
  public static dev.millrace.api.Model of(MultiLayerNetwork network) {
    return of(network, null);
  }

  /**
   * Returns a model that starts as a network is, and standardizes features as a normalizer does
   * that was fitted before. It goes on to learn their means and deviations from what comes.
   *
   * @param normalizerOrNull of features alone
   */
  public static dev.millrace.api.Model of(
      MultiLayerNetwork network, NormalizerStandardize normalizerOrNull) {
    return ofNetwork(network, normalizerOrNull);
  }

  /** Does what {@link #of(MultiLayerNetwork)} does, for a graph of one input and one output. */
  public static dev.millrace.api.Model of(ComputationGraph network) {
    return ofNetwork(network, null);
  }

  private static dev.millrace.api.Model ofNetwork(
      org.deeplearning4j.nn.api.Model network, NormalizerStandardize normalizerOrNull) {
    try {
      Path file = TemporaryFiles.file("millrace-", ".zip");
      file.toFile().deleteOnExit();
      NetworkState.write(network, normalizerOrNull, file);
      return ofArchive(file);
    } catch (IOException e) {
      throw new IllegalStateException("The network can't be written: " + e.getMessage(), e);
    }
  }

  /** Returns a model that starts as an archive is; its layers tell what examples are like. */
  static dev.millrace.api.Model ofArchive(Path file) {
    ExampleShape shape = ENGINE.shapeOf(file);
    dev.millrace.api.Model model =
        dev.millrace.api.Model.archive(file.toString(), shape.features(), shape.outputs());
    return switch (shape.target()) {
      case CLASSIFICATION -> model;
      case MULTI_LABEL -> model.forMultiLabel();
      case REGRESSION -> model.forRegression();
    };
  }

  /**
   * Reads the newest model that was published in a directory, on this machine or on any of Flink's
   * file systems.
   *
   * @param place the directory, or an archive
   * @throws dev.millrace.model.io.InvalidModelException if it holds none of DL4J
   */
  public static TrainedNetwork latest(String place) {
    LocatedModel located = LocatedModel.find("The place of the model", place);
    ArchivedModel archived = ENGINE.readArchive(located.archive());
    Optional<FeatureStatistics> statistics = archived.statistics();
    try {
      return new TrainedNetwork(
          NetworkState.read(located.archive(), archived),
          statistics.map(known -> new ClippingNormalizer(clipped(known, located))).orElse(null));
    } catch (IOException e) {
      throw new IllegalStateException("The network can't be read: " + e.getMessage(), e);
    }
  }

  private static dev.millrace.model.features.Standardization clipped(
      FeatureStatistics known, LocatedModel located) {
    located
        .description()
        .map(description -> description.standardizationClip())
        .ifPresent(known::setClip);
    return known.standardization();
  }
}
