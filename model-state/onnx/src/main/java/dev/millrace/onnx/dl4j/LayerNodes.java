package dev.millrace.onnx.dl4j;

import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.Value;
import java.util.Map;

/** Nodes of one kind of layer. */
@FunctionalInterface
interface LayerNodes {

  /** Layers by DL4J's names. Dropout is no part of predictions, and a loss only its activation. */
  Map<String, LayerNodes> KINDS =
      Map.ofEntries(
          Map.entry("DenseLayer", DenseNodes::rows),
          Map.entry("OutputLayer", DenseNodes::rows),
          Map.entry("RnnOutputLayer", DenseNodes::steps),
          Map.entry("LossLayer", ActivationNodes::add),
          Map.entry("ActivationLayer", ActivationNodes::add),
          Map.entry("DropoutLayer", (graph, layer, input) -> input),
          Map.entry("ConvolutionLayer", ConvolutionNodes::add),
          Map.entry("SubsamplingLayer", PoolingNodes::add),
          Map.entry("GlobalPoolingLayer", GlobalPoolingNodes::add),
          Map.entry("BatchNormalization", BatchNormalizationNodes::add),
          Map.entry("LSTM", LstmNodes::add),
          Map.entry("GravesLSTM", LstmNodes::add),
          Map.entry("LastTimeStep", LastStepNodes::layer),
          Map.entry("EmbeddingLayer", EmbeddingNodes::rows),
          Map.entry("EmbeddingSequenceLayer", EmbeddingNodes::steps));

  /**
   * Adds what the layer does in production.
   *
   * @throws dev.millrace.model.io.InvalidModelException if ONNX has nothing like it, naming the
   *     layer
   */
  Value add(OnnxGraph graph, Dl4jLayer layer, Value input);

  /** Adds a layer of any kind. */
  static Value of(OnnxGraph graph, Dl4jLayer layer, Value input) {
    LayerNodes nodes = KINDS.get(layer.type());
    if (nodes == null) {
      throw layer.refusal("this kind isn't among those that are");
    }
    String before = graph.enter(layer.name());
    Value output = nodes.add(graph, layer, input);
    graph.enter(before);
    return output;
  }
}
