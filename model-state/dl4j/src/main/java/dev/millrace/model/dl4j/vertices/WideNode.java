package dev.millrace.model.dl4j.vertices;

import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.RowFeatures;
import java.util.List;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.MaskState;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.graph.vertex.BaseGraphVertex;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * A {@link WideVertex} in a network. Sums over rows are products with matrices of zeros and ones:
 * one operation, however many rows there are.
 */
@SuppressWarnings("overrides") // DL4J's vertices take an array where their interface has varargs.
final class WideNode extends BaseGraphVertex {

  private static final long serialVersionUID = 1;

  private final transient List<IndexRange> rows;
  private final boolean interactions;

  /** How many values of a row go into interactions. */
  private final int factors;

  /** Of the examples that the matrices are for; null before the first. */
  private transient List<IndexRange> othersOrNull;

  /** [features, 1 + factors]: the first values of rows, and each of the others. */
  private transient INDArray places;

  /** [1, features]: ones where a value goes into interactions. */
  private transient INDArray taken;

  /** The sums of a step's forward pass, until its backward pass. */
  private transient INDArray kept;

  WideNode(
      ComputationGraph graph,
      String name,
      int index,
      DataType dataType,
      List<IndexRange> rows,
      boolean interactions) {
    super(graph, name, index, null, null, dataType);
    this.rows = rows;
    this.interactions = interactions;
    this.factors = interactions ? RowFeatures.shortest(rows) - 1 : 0;
  }

  @Override
  public INDArray doForward(boolean training, LayerWorkspaceMgr workspaces) {
    INDArray features = inputs[0];
    prepare(Math.toIntExact(features.columns()));
    long examples = features.rows();
    INDArray sums =
        workspaces.createUninitialized(
            training ? ArrayType.ACTIVATIONS : ArrayType.FF_WORKING_MEM,
            dataType,
            new long[] {examples, 1L + factors},
            'f');
    features.mmuli(places, sums);
    kept = training ? sums : null;
    int width = others() + (interactions ? 2 : 1);
    INDArray output =
        workspaces.createUninitialized(
            ArrayType.ACTIVATIONS, dataType, new long[] {examples, width}, 'c');
    int at = 0;
    for (IndexRange range : othersOrNull) {
      columns(output, at, range.length()).assign(columns(features, range.from(), range.length()));
      at += range.length();
    }
    columns(output, at, 1).assign(columns(sums, 0, 1));
    if (interactions) {
      // Of all pairs: half of what the square of the sum has more than the sum of squares.
      INDArray pairs = columns(sums, 1, factors).mul(columns(sums, 1, factors)).sum(true, 1);
      pairs.subi(features.mul(features).mmul(taken.transpose())).muli(0.5);
      columns(output, at + 1, 1).assign(pairs);
    }
    return output;
  }

  @Override
  public Pair<Gradient, INDArray[]> doBackward(boolean tbptt, LayerWorkspaceMgr workspaces) {
    INDArray features = inputs[0];
    INDArray gradient =
        workspaces.createUninitialized(ArrayType.ACTIVATION_GRAD, dataType, features.shape(), 'c');
    int at = others();
    INDArray ofSums =
        workspaces.createUninitialized(
            ArrayType.BP_WORKING_MEM, dataType, new long[] {features.rows(), 1L + factors}, 'f');
    columns(ofSums, 0, 1).assign(columns(epsilon, at, 1));
    if (interactions) {
      INDArray ofPairs = columns(epsilon, at + 1, 1).dup();
      columns(ofSums, 1, factors).assign(columns(kept, 1, factors)).muliColumnVector(ofPairs);
      ofSums.mmuli(places.transpose(), gradient);
      gradient.subi(features.mulRowVector(taken).muliColumnVector(ofPairs));
    } else {
      ofSums.mmuli(places.transpose(), gradient);
    }
    kept = null;
    int from = 0;
    for (IndexRange range : othersOrNull) {
      columns(gradient, range.from(), range.length())
          .assign(columns(epsilon, from, range.length()));
      from += range.length();
    }
    return new Pair<>(null, new INDArray[] {gradient});
  }

  /** Makes the matrices for examples of so many features. */
  private void prepare(int features) {
    if (othersOrNull != null && taken.columns() == features) {
      return;
    }
    float[] ones = new float[features];
    float[] matrix = new float[Math.multiplyExact(features, 1 + factors)];
    for (IndexRange row : rows) {
      for (int value = 0; value <= factors; value++) {
        matrix[(row.from() + value) * (1 + factors) + value] = 1;
        ones[row.from() + value] = value == 0 ? 0 : 1;
      }
    }
    try (MemoryWorkspace outside = Nd4j.getMemoryManager().scopeOutOfWorkspaces()) {
      places = Nd4j.createFromArray(matrix).reshape('c', features, 1L + factors);
      taken = Nd4j.createFromArray(ones).reshape('c', 1, features);
    }
    othersOrNull = RowFeatures.others(rows, features);
  }

  private int others() {
    return othersOrNull.stream().mapToInt(IndexRange::length).sum();
  }

  private static INDArray columns(INDArray array, int from, int count) {
    return array.get(NDArrayIndex.all(), NDArrayIndex.interval(from, from + count));
  }

  @Override
  public Pair<INDArray, MaskState> feedForwardMaskArrays(
      INDArray[] masks, MaskState state, int minibatchSize) {
    return masks == null ? null : new Pair<>(masks[0], state);
  }

  @Override
  public void setBackpropGradientsViewArray(INDArray array) {
    if (array != null) {
      throw new IllegalArgumentException("A WideVertex has no parameters");
    }
  }

  @Override
  public boolean hasLayer() {
    return false;
  }

  @Override
  public Layer getLayer() {
    return null;
  }

  @Override
  public String toString() {
    return "WideVertex(%s)".formatted(getVertexName());
  }
}
