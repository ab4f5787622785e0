package dev.millrace.model.dl4j;

import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.indexing.NDArrayIndex;
import org.nd4j.linalg.lossfunctions.ILossFunction;

/**
 * The loss of a replica's network, which sees more of a step than DL4J shows to its listeners.
 *
 * <p>It takes the step's predictions from what it is given to compute the gradient of, so they cost
 * the output activation alone.
 *
 * <p>It lets examples count by weight: the gradient of an example of weight w is w times that of
 * weight 1. DL4J's label masks can't serve for that: its output layers multiply their
 * pre-activations by them, too, and its losses refuse them for a single example.
 */
final class StepLoss implements ILossFunction {

  private static final long serialVersionUID = 1;

  private final ILossFunction loss;
  private final transient OutputRows output;
  private transient INDArray weights;
  private transient float[] predictions;
  private transient BatchRows batch;
  private transient int stepsDone;

  /**
   * @param output for the way of predictions out of ND4J
   */
  StepLoss(ILossFunction loss, OutputRows output) {
    this.loss = loss;
    this.output = output;
  }

  /**
   * Prepares for a step.
   *
   * @param column one weight a row, and for sequences again for each further step; null where all
   *     count 1
   * @param target receives the predictions for the examples
   */
  void prepare(INDArray column, float[] target, BatchRows examples) {
    weights = column;
    predictions = target;
    batch = examples;
    stepsDone = 0;
  }

  /** Returns 0: DL4J asks in each step, and nobody looks at it. */
  @Override
  public double computeScore(
      INDArray labels, INDArray preOutput, IActivation activation, INDArray mask, boolean average) {
    return 0;
  }

  @Override
  public INDArray computeScoreArray(
      INDArray labels, INDArray preOutput, IActivation activation, INDArray mask) {
    throw new UnsupportedOperationException("Nobody asks a replica's network for scores");
  }

  @Override
  public INDArray computeGradient(
      INDArray labels, INDArray preOutput, IActivation activation, INDArray mask) {
    predict(preOutput, activation);
    return weighed(
        isSingle(mask)
            ? loss.computeGradient(labels, preOutput, activation, null).muli(mask.getDouble(0))
            : loss.computeGradient(labels, preOutput, activation, mask));
  }

  @Override
  public Pair<Double, INDArray> computeGradientAndScore(
      INDArray labels, INDArray preOutput, IActivation activation, INDArray mask, boolean average) {
    return Pair.of(0.0, computeGradient(labels, preOutput, activation, mask));
  }

  @Override
  public String name() {
    return loss.name();
  }

  @SuppressWarnings("try") // The resource is a scope.
  private void predict(INDArray preOutput, IActivation activation) {
    try (MemoryWorkspace scratch = Scratch.open()) {
      stepsDone +=
          output.extractSteps(
              activation.getActivation(preOutput.dup(), false), batch, stepsDone, predictions);
    }
  }

  /** DL4J's losses refuse the mask of a single row, which they take for another kind of mask. */
  private static boolean isSingle(INDArray mask) {
    return mask != null && mask.length() == 1;
  }

  private INDArray weighed(INDArray values) {
    if (weights == null) {
      return values;
    }
    long rows = values.size(0);
    return values.muliColumnVector(
        rows == weights.size(0)
            ? weights
            : weights.get(NDArrayIndex.interval(0, rows), NDArrayIndex.all()));
  }
}
