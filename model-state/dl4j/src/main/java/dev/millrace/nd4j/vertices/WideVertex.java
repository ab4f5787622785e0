package dev.millrace.nd4j.vertices;

import java.util.Arrays;
import java.util.Objects;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.inputs.InvalidInputTypeException;
import org.deeplearning4j.nn.conf.memory.LayerMemoryReport;
import org.deeplearning4j.nn.conf.memory.MemoryReport;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.shade.jackson.annotation.JsonCreator;
import org.nd4j.shade.jackson.annotation.JsonProperty;

/**
 * What a linear layer takes of examples that have rows of embedding tables: the features that are
 * of no row, as they are; the sum of the rows' first values; and, where that is asked for, the
 * interactions of the rows' other values. These are the sum over all pairs of rows of their dot
 * products, the second-order term of a factorization machine (Rendle 2010); of each row they take
 * as many values as the shortest has.
 *
 * <p>This is the configuration, which DL4J writes as JSON.
 */
@SuppressWarnings("overrides") // DL4J's vertices take an array where their interface has varargs.
public final class WideVertex extends GraphVertex {

  private static final long serialVersionUID = 1;

  /**
   * Sums are products with a matrix of so many values at most: a configuration may say anything.
   */
  private static final int MOST_SUMMANDS = 1 << 26;

  @JsonProperty("features")
  private final int features;

  @JsonProperty("from")
  private final int[] from;

  @JsonProperty("to")
  private final int[] to;

  @JsonProperty("interactions")
  private final boolean interactions;

  /**
   * Makes a vertex.
   *
   * @param features of an example
   * @param from the first feature of each row, in ascending order
   * @param to the one behind its last
   * @throws IllegalArgumentException if these are no rows, or too short for interactions
   */
  @JsonCreator
  public WideVertex(
      @JsonProperty("features") int features,
      @JsonProperty("from") int[] from,
      @JsonProperty("to") int[] to,
      @JsonProperty("interactions") boolean interactions) {
    this.features = features;
    this.from = Objects.requireNonNull(from, "from").clone();
    this.to = Objects.requireNonNull(to, "to").clone();
    this.interactions = interactions;
    if (from.length == 0 || from.length != to.length) {
      throw new IllegalArgumentException(
          "A WideVertex of rows from %s to %s"
              .formatted(Arrays.toString(from), Arrays.toString(to)));
    }
    int least = interactions ? 2 : 1;
    int done = 0;
    for (int row = 0; row < from.length; row++) {
      if (from[row] < done || to[row] - (long) from[row] < least) {
        throw new IllegalArgumentException(
            "A WideVertex whose row %s has the features [%s, %s)"
                .formatted(row, from[row], to[row]));
      }
      done = to[row];
    }
    if (done > features) {
      throw new IllegalArgumentException(
          "A WideVertex of %s features, with a row up to %s".formatted(features, done));
    }
    if ((long) features * rows().shortest() > MOST_SUMMANDS) {
      throw new IllegalArgumentException(
          "A WideVertex of %s features with rows of %s values; they may have %s together"
              .formatted(features, rows().shortest(), MOST_SUMMANDS));
    }
  }

  private RowColumns rows() {
    return new RowColumns(features, from, to);
  }

  @Override
  public org.deeplearning4j.nn.graph.vertex.GraphVertex instantiate(
      ComputationGraph graph,
      String name,
      int index,
      INDArray parameters,
      boolean initializeParameters,
      DataType dataType) {
    return new WideNode(graph, name, index, dataType, rows(), features, interactions);
  }

  @Override
  public InputType getOutputType(int layerIndex, InputType... inputs) {
    if (inputs.length != 1
        || !(inputs[0] instanceof InputType.InputTypeFeedForward input)
        || input.getSize() != features) {
      throw new InvalidInputTypeException(
          "A WideVertex of %s features takes one array of as many, not %s"
              .formatted(features, Arrays.toString(inputs)));
    }
    return InputType.feedForward(rows().width() + (interactions ? 2L : 1L));
  }

  @Override
  public MemoryReport getMemoryReport(InputType... inputs) {
    return new LayerMemoryReport.Builder(
            null, WideVertex.class, inputs[0], getOutputType(-1, inputs))
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
    return 1;
  }

  @Override
  public int maxVertexInputs() {
    return 1;
  }

  @Override
  public WideVertex clone() {
    return new WideVertex(features, from, to, interactions);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WideVertex vertex
        && features == vertex.features
        && Arrays.equals(from, vertex.from)
        && Arrays.equals(to, vertex.to)
        && interactions == vertex.interactions;
  }

  @Override
  public int hashCode() {
    return Objects.hash(features, Arrays.hashCode(from), Arrays.hashCode(to), interactions);
  }
}
