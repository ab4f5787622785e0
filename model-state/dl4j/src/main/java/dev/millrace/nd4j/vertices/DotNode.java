package dev.millrace.nd4j.vertices;

import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/** A {@link DotVertex} in a network. */
@SuppressWarnings("overrides") // DL4J's vertices take an array where their interface has varargs.
final class DotNode extends PlainNode {

  private static final long serialVersionUID = 1;

  DotNode(ComputationGraph graph, String name, int index, DataType dataType) {
    super(graph, name, index, dataType);
  }

  @Override
  public INDArray doForward(boolean training, LayerWorkspaceMgr workspaces) {
    return workspaces.leverageTo(ArrayType.ACTIVATIONS, inputs[0].mul(inputs[1]).sum(true, 1));
  }

  @Override
  public Pair<Gradient, INDArray[]> doBackward(boolean tbptt, LayerWorkspaceMgr workspaces) {
    INDArray[] gradients = new INDArray[2];
    for (int input = 0; input < 2; input++) {
      gradients[input] =
          workspaces.leverageTo(
              ArrayType.ACTIVATION_GRAD, inputs[1 - input].mulColumnVector(epsilon));
    }
    return new Pair<>(null, gradients);
  }
}
