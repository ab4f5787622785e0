package dev.millrace.onnx.graph;

import dev.millrace.model.ModelSpec;
import java.util.List;

/** Puts the networks of one engine into graphs. */
public interface NetworkNodes {

  /**
   * Adds a network's nodes.
   *
   * @param vector its parameters, and whatever follows them
   * @param features as the network takes them, as {@link TensorLayout#ROWS} or {@link
   *     TensorLayout#STEPS}
   * @return its outputs, in the order of the examples' labels, in one of these forms each
   * @throws dev.millrace.model.io.InvalidModelException if a part of it has no nodes, naming the
   *     part
   */
  List<Value> add(OnnxGraph graph, ModelSpec spec, float[] vector, Value features);
}
