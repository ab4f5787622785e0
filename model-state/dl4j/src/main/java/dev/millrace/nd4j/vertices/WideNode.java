package dev.millrace.nd4j.vertices;

import java.util.List;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.graph.ComputationGraph;
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
final class WideNode extends PlainNode {

  private static final long serialVersionUID = 1;

  private final boolean interactions;

  /** How many values of a row go into interactions. */
  private final int factors;

  /** Features of no row, as {@link RowColumns} tells them, and how many they are. */
  private final transient List<int[]> others;

  private final int width;

  /** [features, 1 + factors]: the first values of rows, and each of the others. */
  private final transient INDArray places;

  /** [1, features]: ones where a value goes into interactions. */
  private final transient INDArray taken;

  /** The sums of a step's forward pass, until its backward pass. */
  private transient INDArray kept;

  @SuppressWarnings("try") // The resource is a scope.
  WideNode(
      ComputationGraph graph,
      String name,
      int index,
      DataType dataType,
      RowColumns rows,
      int features,
      boolean interactions) {
    super(graph, name, index, dataType);
    this.interactions = interactions;
    this.factors = interactions ? rows.shortest() - 1 : 0;
    this.others = rows.others();
    this.width = rows.width();
    try (MemoryWorkspace outside = Nd4j.getMemoryManager().scopeOutOfWorkspaces()) {
      this.places = Nd4j.createFromArray(rows.sums(factors)).reshape('c', features, 1L + factors);
      this.taken = Nd4j.createFromArray(rows.places(factors)).reshape('c', 1, features);
    }
  }

  @Override
  public INDArray doForward(boolean training, LayerWorkspaceMgr workspaces) {
    INDArray features = inputs[0];
    long examples = features.rows();
    INDArray sums =
        workspaces.createUninitialized(
            training ? ArrayType.ACTIVATIONS : ArrayType.FF_WORKING_MEM,
            dataType,
            new long[] {examples, 1L + factors},
            'f');
    features.mmuli(places, sums);
    kept = training ? sums : null;
    long[] shape = {examples, width + (interactions ? 2L : 1L)};
    INDArray output = workspaces.createUninitialized(ArrayType.ACTIVATIONS, dataType, shape, 'c');
    int at = 0;
    for (int[] other : others) {
      columns(output, at, other[1]).assign(columns(features, other[0], other[1]));
      at += other[1];
    }
    columns(output, width, 1).assign(columns(sums, 0, 1));
    if (interactions) {
      // Of all pairs: half of what the square of the sum has more than the sum of squares.
      INDArray pairs = columns(sums, 1, factors).mul(columns(sums, 1, factors)).sum(true, 1);
      pairs.subi(features.mul(features).mmul(taken.transpose())).muli(0.5);
      columns(output, width + 1, 1).assign(pairs);
    }
    return output;
  }

  @Override
  public Pair<Gradient, INDArray[]> doBackward(boolean tbptt, LayerWorkspaceMgr workspaces) {
    INDArray features = inputs[0];
    INDArray gradient =
        workspaces.createUninitialized(ArrayType.ACTIVATION_GRAD, dataType, features.shape(), 'c');
    INDArray ofSums =
        workspaces.createUninitialized(
            ArrayType.BP_WORKING_MEM, dataType, new long[] {features.rows(), 1L + factors}, 'f');
    columns(ofSums, 0, 1).assign(columns(epsilon, width, 1));
    if (interactions) {
      INDArray ofPairs = columns(epsilon, width + 1, 1).dup();
      columns(ofSums, 1, factors).assign(columns(kept, 1, factors)).muliColumnVector(ofPairs);
      ofSums.mmuli(places.transpose(), gradient);
      gradient.subi(features.mulRowVector(taken).muliColumnVector(ofPairs));
    } else {
      ofSums.mmuli(places.transpose(), gradient);
    }
    kept = null;
    int from = 0;
    for (int[] other : others) {
      columns(gradient, other[0], other[1]).assign(columns(epsilon, from, other[1]));
      from += other[1];
    }
    return new Pair<>(null, new INDArray[] {gradient});
  }

  private static INDArray columns(INDArray array, int from, int count) {
    return array.get(NDArrayIndex.all(), NDArrayIndex.interval(from, from + count));
  }
}
