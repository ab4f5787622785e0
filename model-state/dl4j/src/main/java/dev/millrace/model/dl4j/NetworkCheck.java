package dev.millrace.model.dl4j;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.InvalidModelException;
import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.preprocessor.FeedForwardToCnnPreProcessor;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;
import org.nd4j.linalg.api.buffer.DataType;

/**
 * Finds, in a configuration, why a network can't be trained on examples of a shape. What only a run
 * can tell is left to one.
 */
final class NetworkCheck {

  private final Network network;
  private final ExampleShape shape;
  private final String origin;

  private NetworkCheck(Network network, ExampleShape shape, String origin) {
    this.network = network;
    this.shape = shape;
    this.origin = origin;
  }

  /**
   * @param origin names the network in messages
   * @throws InvalidModelException if it doesn't fit
   */
  static void verify(Network network, ExampleShape shape, String origin) {
    NetworkCheck check = new NetworkCheck(network, shape, origin);
    check.settings();
    check.backpropagation();
    check.outputLayer();
    check.firstLayer();
  }

  private void settings() {
    require(
        network.inputs().size() == 1 && network.outputs().size() == 1,
        "it has the inputs %s and the outputs %s; take a network with one of each"
            .formatted(network.inputs(), network.outputs()));
    DataType type = network.settings().getDataType();
    require(type == DataType.FLOAT, "it computes in %s; set dataType to FLOAT".formatted(type));
    OptimizationAlgorithm algorithm = network.settings().getOptimizationAlgo();
    require(
        algorithm == OptimizationAlgorithm.STOCHASTIC_GRADIENT_DESCENT,
        "its optimizer is %s; set optimizationAlgo to STOCHASTIC_GRADIENT_DESCENT"
            .formatted(algorithm));
  }

  private void backpropagation() {
    require(
        network.backpropagation() == BackpropType.Standard,
        "it learns by truncated backpropagation through time, and examples are no sequences; set"
            + " backpropType to Standard");
  }

  private void outputLayer() {
    Layer layer = network.lastLayer();
    require(
        layer != null
            && (layer.getClass() == OutputLayer.class || layer.getClass() == LossLayer.class),
        ("it ends in a %s, whose output is not one row an example; end it in an"
                + " OutputLayer or a LossLayer")
            .formatted(layer == null ? "vertex without layer" : layer.getClass().getSimpleName()));
    if (layer instanceof OutputLayer output) {
      require(
          output.getNOut() == shape.outputs(),
          ("its output layer gives %d values, and the examples have %d outputs; set nOut"
                  + " of that layer, or the number of outputs")
              .formatted(output.getNOut(), shape.outputs()));
    }
    activation(((BaseLayer) layer).getActivationFn());
  }

  private void activation(IActivation activation) {
    boolean fits =
        switch (shape.target()) {
          case CLASSIFICATION -> activation instanceof ActivationSoftmax;
          case MULTI_LABEL -> activation instanceof ActivationSigmoid;
          case REGRESSION -> !(activation instanceof ActivationSoftmax);
        };
    String remedy =
        switch (shape.target()) {
          case CLASSIFICATION -> "softmax, for class probabilities";
          case MULTI_LABEL -> "sigmoid, for a probability of each label";
          case REGRESSION -> "identity, for numbers of any size";
        };
    require(
        fits,
        ("its output activation is %s, which doesn't fit the target %s; set it to %s,"
                + " or change the target")
            .formatted(activation, shape.target(), remedy));
  }

  private void firstLayer() {
    if (network.firstPreProcessor() instanceof FeedForwardToCnnPreProcessor image) {
      long size = image.getInputHeight() * image.getInputWidth() * image.getNumChannels();
      require(
          size == shape.features(),
          ("it takes images of %d x %d pixels and %d channels, and the examples have %d"
                  + " features; set the input type, or the number of features")
              .formatted(
                  image.getInputHeight(),
                  image.getInputWidth(),
                  image.getNumChannels(),
                  shape.features()));
    } else if (network.firstPreProcessor() == null
        && (network.firstLayer() instanceof DenseLayer
            || network.firstLayer() instanceof OutputLayer)) {
      long size = ((FeedForwardLayer) network.firstLayer()).getNIn();
      require(
          size == shape.features(),
          ("its first layer takes %d values, and the examples have %d features; set nIn"
                  + " of that layer, or the number of features")
              .formatted(size, shape.features()));
    }
    try {
      InputRows.shape(network, shape);
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException(origin + " can't be trained: " + e.getMessage(), e);
    }
  }

  private void require(boolean condition, String reason) {
    if (!condition) {
      throw new InvalidModelException(origin + " can't be trained: " + reason);
    }
  }
}
