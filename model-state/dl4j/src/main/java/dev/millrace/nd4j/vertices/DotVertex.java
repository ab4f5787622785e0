package dev.millrace.nd4j.vertices;

import java.util.Arrays;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.inputs.InvalidInputTypeException;
import org.deeplearning4j.nn.conf.memory.LayerMemoryReport;
import org.deeplearning4j.nn.conf.memory.MemoryReport;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * The dot products of the rows of two arrays, as a column.
 *
 * <p>This is the configuration, which DL4J writes as JSON.
 */
@SuppressWarnings("overrides") // DL4J's vertices take an array where their interface has varargs.
public final class DotVertex extends GraphVertex {

  private static final long serialVersionUID = 1;

  @Override
  public org.deeplearning4j.nn.graph.vertex.GraphVertex instantiate(
      ComputationGraph graph,
      String name,
      int index,
      INDArray parameters,
      boolean initializeParameters,
      DataType dataType) {
    return new DotNode(graph, name, index, dataType);
  }

  @Override
  public InputType getOutputType(int layerIndex, InputType... inputs) {
    if (inputs.length != 2
        || !(inputs[0] instanceof InputType.InputTypeFeedForward first)
        || !(inputs[1] instanceof InputType.InputTypeFeedForward second)
        || first.getSize() != second.getSize()) {
      throw new InvalidInputTypeException(
          "A DotVertex takes two arrays whose rows have one length, not %s"
              .formatted(Arrays.toString(inputs)));
    }
    return InputType.feedForward(1);
  }

  @Override
  public MemoryReport getMemoryReport(InputType... inputs) {
    return new LayerMemoryReport.Builder(
            null, DotVertex.class, inputs[0], getOutputType(-1, inputs))
        .standardMemory(0, 0)
        .workingMemory(0, 0, 0, 0)
        .cacheMemory(0, 0)
        .build();
  }

  @Override
  public long numParams(boolean backprop) {
    return 0;
  }

  @Override
  public int minVertexInputs() {
    return 2;
  }

  @Override
  public int maxVertexInputs() {
    return 2;
  }

  @Override
  public DotVertex clone() {
    return new DotVertex();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DotVertex;
  }

  @Override
  public int hashCode() {
    return DotVertex.class.hashCode();
  }
}
