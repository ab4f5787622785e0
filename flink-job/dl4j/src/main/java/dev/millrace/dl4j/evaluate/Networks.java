package dev.millrace.dl4j.evaluate;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;

/** Asks networks of either kind, which DL4J has under no common type. */
final class Networks {

  private static final int LAYERS = 0;
  private static final int GRAPH = 1;

  private Networks() {}

  static Model copy(Model network) {
    return network instanceof MultiLayerNetwork layers ? layers.clone() : graph(network).clone();
  }

  static void write(Model network, OutputStream out) throws IOException {
    out.write(network instanceof MultiLayerNetwork ? LAYERS : GRAPH);
    ModelSerializer.writeModel(network, out, false);
  }

  static Model read(InputStream in) throws IOException {
    return in.read() == LAYERS
        ? ModelSerializer.restoreMultiLayerNetwork(in, false)
        : ModelSerializer.restoreComputationGraph(in, false);
  }

  static void evaluate(Model network, MultiDataSetIterator batches, IEvaluation<?>[] evaluations) {
    if (network instanceof MultiLayerNetwork layers) {
      layers.doEvaluation(batches, evaluations);
    } else {
      graph(network).doEvaluation(batches, evaluations);
    }
  }

  /** Returns the score of each example. */
  static double[] scores(Model network, MultiDataSet batch, boolean regularized) {
    INDArray scores =
        network instanceof MultiLayerNetwork layers
            ? layers.scoreExamples(single(batch), regularized)
            : graph(network).scoreExamples(batch, regularized);
    return scores.toDoubleVector();
  }

  /** Returns the mean score. */
  static double score(Model network, MultiDataSet batch) {
    return network instanceof MultiLayerNetwork layers
        ? layers.score(single(batch), false)
        : graph(network).score(batch, false);
  }

  /** Returns the outputs for features. */
  static INDArray[] output(Model network, INDArray[] features, INDArray[] masksOrNull) {
    if (network instanceof MultiLayerNetwork layers) {
      INDArray mask = masksOrNull == null ? null : masksOrNull[0];
      return new INDArray[] {layers.output(features[0], false, mask, null)};
    }
    return graph(network).output(false, features, masksOrNull);
  }

  private static DataSet single(MultiDataSet batch) {
    return new DataSet(
        batch.getFeatures(0),
        batch.getLabels(0),
        batch.getFeaturesMaskArray(0),
        batch.getLabelsMaskArray(0));
  }

  private static ComputationGraph graph(Model network) {
    if (network instanceof ComputationGraph graph) {
      return graph;
    }
    throw new IllegalArgumentException(
        "%s is neither a MultiLayerNetwork nor a ComputationGraph"
            .formatted(network.getClass().getName()));
  }
}
