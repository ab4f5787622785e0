package dev.millrace.nd4j.vertices;

import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.MaskState;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.graph.vertex.BaseGraphVertex;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/** A vertex in a network that has no parameters and takes rows. */
@SuppressWarnings("overrides") // DL4J's vertices take an array where their interface has varargs.
abstract class PlainNode extends BaseGraphVertex {

  private static final long serialVersionUID = 1;

  PlainNode(ComputationGraph graph, String name, int index, DataType dataType) {
    super(graph, name, index, null, null, dataType);
  }

  @Override
  public final Pair<INDArray, MaskState> feedForwardMaskArrays(
      INDArray[] masks, MaskState state, int minibatchSize) {
    return masks == null ? null : new Pair<>(masks[0], state);
  }

  @Override
  public final void setBackpropGradientsViewArray(INDArray array) {
    if (array != null) {
      throw new IllegalArgumentException("The vertex %s has no parameters".formatted(vertexName));
    }
  }

  @Override
  public final boolean hasLayer() {
    return false;
  }

  @Override
  public final Layer getLayer() {
    return null;
  }

  @Override
  public final String toString() {
    return "%s(%s)".formatted(getClass().getSimpleName(), getVertexName());
  }
}
