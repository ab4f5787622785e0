package dev.millrace.keras;

import java.util.Optional;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;
import org.nd4j.linalg.lossfunctions.ILossFunction;
import org.nd4j.linalg.lossfunctions.impl.LossBinaryXENT;
import org.nd4j.linalg.lossfunctions.impl.LossMCXENT;
import org.nd4j.linalg.lossfunctions.impl.LossSparseMCXENT;

/**
 * The end of a network. DL4J's import leaves activation and loss in layers of their own; one layer
 * with both tells what the outputs mean, and computes the gradient of softmax and cross entropy
 * without dividing by small probabilities.
 */
final class OutputLayers {

  private OutputLayers() {}

  /** The loss for labels that are vectors; Keras' sparse one is for numbers of classes. */
  static void takeVectors(LossLayer loss) {
    if (loss.getLossFn() instanceof LossSparseMCXENT) {
      loss.setLossFn(new LossMCXENT());
    }
  }

  /**
   * Returns what {@code layer} and {@code loss} are together.
   *
   * @return empty if they must stay apart
   */
  static Optional<Layer> joined(Layer layer, LossLayer loss) {
    boolean lossActivates = !isIdentity(loss);
    if (layer instanceof ActivationLayer activation && !lossActivates) {
      LossLayer joined = (LossLayer) loss.clone();
      joined.setLayerName(layer.getLayerName());
      joined.setActivationFn(activation.getActivationFn());
      return Optional.of(joined);
    }
    if (layer instanceof DenseLayer dense && (!lossActivates || isIdentity(dense))) {
      OutputLayer joined = output(dense, loss.getLossFn());
      joined.setActivationFn((lossActivates ? loss : dense).getActivationFn());
      return Optional.of(joined);
    }
    return Optional.empty();
  }

  /**
   * Makes probabilities of logits, as the loss would in Keras.
   *
   * @param last an {@link OutputLayer} or a {@link LossLayer}
   */
  static void activateLogits(Layer last) {
    ILossFunction loss =
        last instanceof OutputLayer output ? output.getLossFn() : ((LossLayer) last).getLossFn();
    BaseLayer layer = (BaseLayer) last;
    if (isIdentity(layer) && loss instanceof LossMCXENT) {
      layer.setActivationFn(new ActivationSoftmax());
    } else if (isIdentity(layer) && loss instanceof LossBinaryXENT) {
      layer.setActivationFn(new ActivationSigmoid());
    }
  }

  private static boolean isIdentity(BaseLayer layer) {
    return layer.getActivationFn() instanceof ActivationIdentity;
  }

  /** Has the dense layer's parameters in the same order. */
  private static OutputLayer output(DenseLayer dense, ILossFunction loss) {
    OutputLayer output =
        new OutputLayer.Builder(loss)
            .name(dense.getLayerName())
            .nIn(dense.getNIn())
            .nOut(dense.getNOut())
            .hasBias(dense.hasBias())
            .build();
    output.setTimeDistributedFormat(dense.getTimeDistributedFormat());
    output.setWeightInitFn(dense.getWeightInitFn());
    output.setBiasInit(dense.getBiasInit());
    output.setGainInit(dense.getGainInit());
    output.setRegularization(dense.getRegularization());
    output.setRegularizationBias(dense.getRegularizationBias());
    output.setIUpdater(dense.getIUpdater());
    output.setBiasUpdater(dense.getBiasUpdater());
    output.setWeightNoise(dense.getWeightNoise());
    output.setGradientNormalization(dense.getGradientNormalization());
    output.setGradientNormalizationThreshold(dense.getGradientNormalizationThreshold());
    output.setIDropout(dense.getIDropout());
    output.setConstraints(dense.getConstraints());
    return output;
  }
}
