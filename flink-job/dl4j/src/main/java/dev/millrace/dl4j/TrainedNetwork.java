package dev.millrace.dl4j;

import org.apache.flink.annotation.PublicEvolving;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;

/**
 * A network that Millrace has trained, with what it does to features first.
 *
 * @param model of either kind
 * @param normalizerOrNull standardizes features, and clips them as in training; null for nothing.
 *     It suits {@code iterator.setPreProcessor}
 */
@PublicEvolving
public record TrainedNetwork(Model model, DataSetPreProcessor normalizerOrNull) {

  /**
   * Returns the network of layers.
   *
   * @throws ClassCastException if it is a graph
   */
  public MultiLayerNetwork network() {
    return (MultiLayerNetwork) model;
  }

  /**
   * Returns the graph.
   *
   * @throws ClassCastException if it is a network of layers
   */
  public ComputationGraph graph() {
    return (ComputationGraph) model;
  }
}
