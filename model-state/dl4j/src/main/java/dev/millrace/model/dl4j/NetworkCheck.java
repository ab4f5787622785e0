package dev.millrace.model.dl4j;

import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.OtherOutputsException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.BaseOutputLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
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
    check.names("inputs", network.inputs(), shape.structure().inputs().stream().map(Input::name));
    check.names(
        "outputs", network.outputs(), shape.structure().outputs().stream().map(Output::name));
    check.settings();
    check.outputs();
    check.backpropagation();
    network.inputs().forEach(check::input);
  }

  private void names(String what, List<String> own, Stream<String> given) {
    List<String> names = given.toList();
    if (names.isEmpty()) {
      require(
          own.size() == 1,
          "it has the %s %s, and examples don't say which values are whose; name them with their"
                  .formatted(what, own)
              + " widths, or take a network with one of each");
    } else {
      require(
          Set.copyOf(names).equals(Set.copyOf(own)) && names.size() == own.size(),
          "it has the %s %s, and the examples have %s; give them the network's names"
              .formatted(what, own, names));
    }
  }

  private void settings() {
    DataType type = network.settings().getDataType();
    require(type == DataType.FLOAT, "it computes in %s; set dataType to FLOAT".formatted(type));
    OptimizationAlgorithm algorithm = network.settings().getOptimizationAlgo();
    require(
        algorithm == OptimizationAlgorithm.STOCHASTIC_GRADIENT_DESCENT,
        "its optimizer is %s; set optimizationAlgo to STOCHASTIC_GRADIENT_DESCENT"
            .formatted(algorithm));
  }

  /** DL4J would learn nothing where there are no steps, and only log a warning. */
  private void backpropagation() {
    if (network.backpropagation() == BackpropType.Standard) {
      return;
    }
    require(
        shape.structure().isSequence(),
        "it learns by truncated backpropagation through time, and examples are no sequences; set"
            + " backpropType to Standard, or give the most steps of a sequence");
    require(
        shape.structure().labelPerStep(),
        "it learns by truncated backpropagation through time, and a sequence has one label, which"
            + " only its end can learn from; set backpropType to Standard, or give a label for"
            + " each step");
  }

  private void outputs() {
    for (String name : network.outputs()) {
      Output named =
          shape.structure().outputs().stream()
              .filter(output -> output.name().equals(name))
              .findFirst()
              .orElseGet(
                  () -> new Output(name, new IndexRange(0, shape.outputs()), shape.target()));
      output(named, network.outputs().size() == 1 ? "" : " '%s'".formatted(name));
    }
  }

  /**
   * @param which output, where there are several
   */
  private void output(Output output, String which) {
    Layer layer = network.lastLayer(output.name());
    if (shape.structure().labelPerStep()) {
      require(
          layer != null && layer.getClass() == RnnOutputLayer.class,
          ("its output%s ends in a %s, and each step of a sequence has a label; end it in an"
                  + " RnnOutputLayer, or give one label a sequence")
              .formatted(which, describe(layer)));
    } else {
      require(
          layer == null || layer.getClass() != RnnOutputLayer.class,
          ("its output%s ends in an RnnOutputLayer, which gives one row a step, and examples have one"
                  + " label; end it in LastTimeStep or a GlobalPoolingLayer, and an OutputLayer, or"
                  + " give sequences a label for each step")
              .formatted(which));
      require(
          layer != null
              && (layer.getClass() == OutputLayer.class || layer.getClass() == LossLayer.class),
          ("it ends in a %s%s, whose output is not one row an example; end it in an"
                  + " OutputLayer or a LossLayer")
              .formatted(describe(layer), which));
    }
    if (layer instanceof BaseOutputLayer last && last.getNOut() != output.labels().length()) {
      throw new OtherOutputsException(
          ("%s can't be trained: its output layer%s gives %s values, and the examples have %s"
                  + " outputs; set nOut of that layer, or the number of outputs")
              .formatted(origin, which, last.getNOut(), output.labels().length()));
    }
    require(
        !RecurrentLayers.wantsStepsFirst(layer),
        ("its output layer%s has the data format NWC, or says none; set it to NCW, or build the"
                + " configuration with InputType.recurrent")
            .formatted(which));
    activation(((BaseLayer) layer).getActivationFn(), output.target());
  }

  private static String describe(Layer layerOrNull) {
    return layerOrNull == null ? "vertex without layer" : layerOrNull.getClass().getSimpleName();
  }

  private void activation(IActivation activation, Target target) {
    boolean fits =
        switch (target) {
          case CLASSIFICATION -> activation instanceof ActivationSoftmax;
          case MULTI_LABEL -> activation instanceof ActivationSigmoid;
          case REGRESSION -> !(activation instanceof ActivationSoftmax);
        };
    String remedy =
        switch (target) {
          case CLASSIFICATION -> "softmax, for class probabilities";
          case MULTI_LABEL -> "sigmoid, for a probability of each label";
          case REGRESSION -> "identity, for numbers of any size";
        };
    require(
        fits,
        ("its output activation is %s, which doesn't fit the target %s; set it to %s,"
                + " or change the target")
            .formatted(activation, target, remedy));
  }

  private void input(String input) {
    int features = ArrayParts.featuresOf(input, shape).length();
    String which = network.inputs().size() == 1 ? "" : " of the input '%s'".formatted(input);
    Layer first = network.firstLayer(input);
    if (network.firstPreProcessor(input) instanceof FeedForwardToCnnPreProcessor image) {
      long size = image.getInputHeight() * image.getInputWidth() * image.getNumChannels();
      require(
          size == features,
          ("it takes images%s of %s x %s pixels and %s channels, and the examples have %s"
                  + " features; set the input type, or the number of features")
              .formatted(
                  which,
                  image.getInputHeight(),
                  image.getInputWidth(),
                  image.getNumChannels(),
                  features));
    } else if (network.firstPreProcessor(input) == null) {
      sequence(first, which);
      size(first, which, features);
    }
    try {
      InputRows.shape(network, input, features);
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException(origin + " can't be trained: " + e.getMessage(), e);
    }
  }

  private void sequence(Layer first, String which) {
    if (!shape.structure().isSequence()) {
      require(
          !RecurrentLayers.takesSequences(first),
          ("its first layer%s, a %s, takes sequences, and examples are none; give the most steps of a"
                  + " sequence, or take another first layer")
              .formatted(which, describe(first)));
      return;
    }
    require(
        !RecurrentLayers.takesRows(first) || !shape.structure().inputs().isEmpty(),
        ("its first layer%s, a %s, takes no sequences; begin with a layer such as LSTM, or give"
                + " examples that are no sequences")
            .formatted(which, describe(first)));
    require(
        !RecurrentLayers.wantsStepsFirst(first),
        "its first layer%s has the data format NWC; set it to NCW".formatted(which));
  }

  private void size(Layer first, String which, int features) {
    if (first instanceof DenseLayer || first instanceof OutputLayer) {
      long size = ((FeedForwardLayer) first).getNIn();
      require(
          size == features,
          ("its first layer%s takes %s values, and the examples have %s features; set nIn"
                  + " of that layer, or the number of features")
              .formatted(which, size, features));
    }
    RecurrentLayers.width(first)
        .ifPresent(
            size ->
                require(
                    size == features,
                    ("its first layer%s takes %s values of each step, and the examples have %s; set"
                            + " nIn of that layer, or the number of features")
                        .formatted(which, size, features)));
  }

  private void require(boolean condition, String reason) {
    if (!condition) {
      throw new InvalidModelException(origin + " can't be trained: " + reason);
    }
  }
}
