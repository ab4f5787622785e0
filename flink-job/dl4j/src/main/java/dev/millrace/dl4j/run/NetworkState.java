package dev.millrace.dl4j.run;

import dev.millrace.model.ArchivedModel;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.factory.Nd4j;

/** A program's network, as a model to start from, and with what was learned. */
public final class NetworkState {

  private final INDArray parameters;
  private final INDArray updaterOrNull;
  private final int iterations;

  private NetworkState(INDArray parameters, INDArray updaterOrNull, int iterations) {
    this.parameters = parameters;
    this.updaterOrNull = updaterOrNull;
    this.iterations = iterations;
  }

  /** Writes the network with its updater's state. */
  public static void write(Model network, Path file) throws IOException {
    write(network, null, file);
  }

  /**
   * Writes the network with its updater's state.
   *
   * @param normalizerOrNull of its features
   */
  public static void write(Model network, NormalizerStandardize normalizerOrNull, Path file)
      throws IOException {
    File target = file.toFile();
    ModelSerializer.writeModel(network, target, true);
    if (normalizerOrNull != null) {
      ModelSerializer.addNormalizerToModel(target, normalizerOrNull);
    }
  }

  /** Makes the network of an archive. */
  public static Model read(Path file, ArchivedModel archived) throws IOException {
    return archived.kind().equals(ComputationGraph.class.getSimpleName())
        ? ModelSerializer.restoreComputationGraph(file.toFile(), true)
        : ModelSerializer.restoreMultiLayerNetwork(file.toFile(), true);
  }

  /** Gives the network what an archive of it holds: parameters, the updater's state, and steps. */
  public static void take(Model network, ArchivedModel trained) {
    int parameters = trained.parameters();
    float[] vector = trained.vector();
    INDArray updater =
        vector.length == parameters ? null : row(vector, parameters, vector.length - parameters);
    new NetworkState(row(vector, 0, parameters), updater, Math.toIntExact(trained.iteration()))
        .giveTo(network);
  }

  /** Copies what the network has now. */
  static NetworkState copy(Model network) {
    INDArray updater =
        network instanceof MultiLayerNetwork layers
            ? layers.getUpdater().getStateViewArray()
            : ((ComputationGraph) network).getUpdater().getStateViewArray();
    return new NetworkState(
        network.params().dup(),
        updater == null || updater.isEmpty() ? null : updater.dup(),
        NetworkCounts.iterations(network));
  }

  /** Gives the network all of it. */
  void giveTo(Model network) {
    network.setParams(parameters);
    if (updaterOrNull != null) {
      if (network instanceof MultiLayerNetwork layers) {
        layers.getUpdater().setStateViewArray(layers, updaterOrNull, false);
      } else {
        ((ComputationGraph) network).getUpdater().setStateViewArray(updaterOrNull);
      }
    }
    NetworkCounts.setIterations(network, iterations);
  }

  private static INDArray row(float[] vector, int from, int length) {
    float[] part = new float[length];
    System.arraycopy(vector, from, part, 0, length);
    return Nd4j.create(part, 1, length);
  }
}
