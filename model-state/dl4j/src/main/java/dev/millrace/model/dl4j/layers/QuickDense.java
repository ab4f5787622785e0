package dev.millrace.model.dl4j.layers;

import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.gradient.DefaultGradient;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.layers.feedforward.dense.DenseLayer;
import org.deeplearning4j.nn.params.DefaultParamInitializer;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A dense layer whose backward pass has the forward pass's sums before the activation, which DL4J
 * multiplies out again.
 */
final class QuickDense extends DenseLayer {

  private static final long serialVersionUID = 1;

  private boolean tellsInput;
  private transient INDArray kept;

  /**
   * @param first whether nobody asks for the gradient of its input, but by {@link #tellInput}
   */
  QuickDense(NeuralNetConfiguration conf, boolean first) {
    super(conf, DataType.FLOAT);
    this.tellsInput = !first;
  }

  /** Says whether somebody asks for the gradient of its input. */
  void tellInput(boolean told) {
    tellsInput = told;
  }

  @Override
  protected Pair<INDArray, INDArray> preOutputWithPreNorm(
      boolean training, boolean forBackprop, LayerWorkspaceMgr workspaces) {
    if (forBackprop && kept != null) {
      INDArray sums = kept;
      // The activation's derivative is put in its place.
      kept = null;
      return new Pair<>(sums, null);
    }
    Pair<INDArray, INDArray> sums = super.preOutputWithPreNorm(training, forBackprop, workspaces);
    if (training && !forBackprop) {
      // The activation is put in the place of these.
      kept = copy(sums.getFirst(), workspaces);
    }
    return sums;
  }

  private static INDArray copy(INDArray sums, LayerWorkspaceMgr workspaces) {
    return workspaces
        .createUninitialized(ArrayType.ACTIVATIONS, DataType.FLOAT, sums.shape(), sums.ordering())
        .assign(sums);
  }

  @Override
  public Pair<Gradient, INDArray> backpropGradient(INDArray epsilon, LayerWorkspaceMgr workspaces) {
    if (tellsInput) {
      return super.backpropGradient(epsilon, workspaces);
    }
    assertInputSet(true);
    INDArray sums = preOutputWithPreNorm(true, true, workspaces).getFirst();
    INDArray delta = layerConf().getActivationFn().backprop(sums, epsilon).getFirst();
    if (maskArray != null) {
      applyMask(delta);
    }
    Gradient gradient = new DefaultGradient();
    if (hasBias()) {
      INDArray ofBias = gradientViews.get(DefaultParamInitializer.BIAS_KEY);
      delta.sum(ofBias, 0);
      gradient.gradientForVariable().put(DefaultParamInitializer.BIAS_KEY, ofBias);
    }
    INDArray ofWeights = gradientViews.get(DefaultParamInitializer.WEIGHT_KEY);
    Nd4j.gemm(input.castTo(ofWeights.dataType()), delta, ofWeights, true, false, 1, 0);
    gradient.gradientForVariable().put(DefaultParamInitializer.WEIGHT_KEY, ofWeights);
    weightNoiseParams.clear();
    // Layers look at its size, even where nobody looks at its values.
    return new Pair<>(
        gradient,
        workspaces.createUninitialized(ArrayType.ACTIVATION_GRAD, DataType.FLOAT, input.shape()));
  }

  @Override
  public void clear() {
    super.clear();
    kept = null;
  }
}
