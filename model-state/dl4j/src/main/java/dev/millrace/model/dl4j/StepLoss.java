package dev.millrace.model.dl4j;

import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
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
  private final transient RowArray rowMajor;
  private transient INDArray weights;
  private transient float[] predictions;
  private transient int rows;

  /**
   * @param rowMajor for the way of predictions out of ND4J
   */
  StepLoss(ILossFunction loss, RowArray rowMajor) {
    this.loss = loss;
    this.rowMajor = rowMajor;
  }

  /**
   * Prepares for a step.
   *
   * @param column one weight a row; null where all count 1
   * @param target receives the predictions for {@code stepRows} examples
   */
  void prepare(INDArray column, float[] target, int stepRows) {
    weights = column;
    predictions = target;
    rows = stepRows;
  }

  @Override
  public double computeScore(
      INDArray labels, INDArray preOutput, IActivation activation, INDArray mask, boolean average) {
    if (weights == null) {
      return loss.computeScore(labels, preOutput, activation, mask, average);
    }
    double sum = computeScoreArray(labels, preOutput, activation, mask).sumNumber().doubleValue();
    return average ? sum / labels.size(0) : sum;
  }

  @Override
  public INDArray computeScoreArray(
      INDArray labels, INDArray preOutput, IActivation activation, INDArray mask) {
    return weighed(loss.computeScoreArray(labels, preOutput, activation, mask));
  }

  @Override
  public INDArray computeGradient(
      INDArray labels, INDArray preOutput, IActivation activation, INDArray mask) {
    predict(preOutput, activation);
    return weighed(loss.computeGradient(labels, preOutput, activation, mask));
  }

  @Override
  public Pair<Double, INDArray> computeGradientAndScore(
      INDArray labels, INDArray preOutput, IActivation activation, INDArray mask, boolean average) {
    return Pair.of(
        computeScore(labels, preOutput, activation, mask, average),
        computeGradient(labels, preOutput, activation, mask));
  }

  @Override
  public String name() {
    return loss.name();
  }

  @SuppressWarnings("try") // The resource is a scope.
  private void predict(INDArray preOutput, IActivation activation) {
    try (MemoryWorkspace scratch = Scratch.open()) {
      rowMajor.extract(activation.getActivation(preOutput.dup(), false), predictions, rows);
    }
  }

  private INDArray weighed(INDArray values) {
    return weights == null ? values : values.muliColumnVector(weights);
  }
}
