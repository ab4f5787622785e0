package dev.millrace.model.dl4j;

import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.lossfunctions.ILossFunction;

/**
 * A loss in which examples count by weight: the gradient of an example of weight w is w times that
 * of weight 1. DL4J's label masks can't serve for that: its output layers multiply their
 * pre-activations by them, too, and its losses refuse them for a single example.
 */
final class WeightedLoss implements ILossFunction {

  private static final long serialVersionUID = 1;

  private final ILossFunction loss;
  private transient INDArray weights;

  WeightedLoss(ILossFunction loss) {
    this.loss = loss;
  }

  /**
   * @param column one weight a row, for the steps that follow; null where all count 1
   */
  void weigh(INDArray column) {
    weights = column;
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

  private INDArray weighed(INDArray rows) {
    return weights == null ? rows : rows.muliColumnVector(weights);
  }
}
