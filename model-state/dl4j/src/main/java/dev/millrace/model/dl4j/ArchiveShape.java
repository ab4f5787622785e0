package dev.millrace.model.dl4j;

import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.OptionalInt;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.preprocessor.FeedForwardToCnnPreProcessor;
import org.deeplearning4j.preprocessors.ReshapePreprocessor;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;

/**
 * What a network says of the examples that it is for: sizes by its layers, target by its output.
 */
final class ArchiveShape {

  private ArchiveShape() {}

  /**
   * @throws InvalidModelException if its layers don't tell
   */
  static ExampleShape of(Network network, String origin) {
    boolean single = network.inputs().size() == 1 && network.outputs().size() == 1;
    OptionalInt features = single ? features(network) : OptionalInt.empty();
    if (features.isEmpty()
        || !(network.lastLayer(network.outputs().get(0)) instanceof OutputLayer output)) {
      throw new InvalidModelException(
          ("%s doesn't say how many features and outputs its examples have, by its first and last"
                  + " layer; give the number of features, the number of outputs and the target of the"
                  + " input")
              .formatted(origin));
    }
    int outputs = Math.toIntExact(output.getNOut());
    return new ExampleShape(features.getAsInt(), outputs, target(output));
  }

  private static OptionalInt features(Network network) {
    InputPreProcessor preProcessor = network.firstPreProcessor(network.inputs().get(0));
    if (preProcessor instanceof FeedForwardToCnnPreProcessor image) {
      return OptionalInt.of(
          Math.toIntExact(image.getInputHeight() * image.getInputWidth() * image.getNumChannels()));
    }
    if (preProcessor instanceof ReshapePreprocessor row && row.getInputShape().length == 1) {
      return OptionalInt.of(Math.toIntExact(row.getInputShape()[0]));
    }
    Layer first = network.firstLayer(network.inputs().get(0));
    return preProcessor == null
            && first instanceof FeedForwardLayer layer
            && !(first instanceof ConvolutionLayer)
            && !RecurrentLayers.takesSequences(first)
        ? OptionalInt.of(Math.toIntExact(layer.getNIn()))
        : OptionalInt.empty();
  }

  private static Target target(BaseLayer output) {
    IActivation activation = output.getActivationFn();
    if (activation instanceof ActivationSoftmax) {
      return Target.CLASSIFICATION;
    }
    return activation instanceof ActivationSigmoid ? Target.MULTI_LABEL : Target.REGRESSION;
  }
}
