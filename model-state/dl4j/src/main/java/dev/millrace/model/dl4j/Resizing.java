package dev.millrace.model.dl4j;

import dev.millrace.model.ModelSpec;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.VectorLayout;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.updater.UpdaterBlock;

/** Gives a network other numbers of features and outputs. */
final class Resizing {

  private static final Set<Class<?>> FIRST =
      Set.of(DenseLayer.class, OutputLayer.class, LSTM.class, RnnOutputLayer.class);
  private static final Set<Class<?>> LAST = Set.of(OutputLayer.class, RnnOutputLayer.class);
  private static final String WEIGHTS = "W";
  private static final String BIAS = "b";

  private Resizing() {}

  /** Returns the same network for examples of that shape. */
  static ModelSpec resized(Network network, ExampleShape shape) {
    first(network).setNIn(shape.width());
    last(network).setNOut(shape.outputs());
    String origin = "The model, grown";
    return InitialModels.made(ConfigurationJson.read(network.toJson(), origin), shape, origin)
        .spec();
  }

  /**
   * Returns how the network's values lie in its vector.
   *
   * @param network not yet initialized
   */
  static VectorLayout layout(Network network) {
    FeedForwardLayer first = first(network);
    FeedForwardLayer last = last(network);
    LayerList layers = network.layers();
    List<VectorLayout.Tensor> tensors = new ArrayList<>();
    for (TensorDescription tensor : layers.tensors()) {
      boolean takes = tensor.name().equals(layers.nameOf(first) + "." + WEIGHTS);
      boolean bias = tensor.name().equals(layers.nameOf(last) + "." + BIAS);
      boolean gives = bias || tensor.name().equals(layers.nameOf(last) + "." + WEIGHTS);
      // DL4J's weights are in Fortran's order: the inputs of a unit follow one another.
      int rows =
          gives
              ? Math.toIntExact(last.getNOut())
              : takes ? tensor.length() / Math.toIntExact(first.getNIn()) : tensor.length();
      tensors.add(
          new VectorLayout.Tensor(
              tensor.name(), tensor.from(), rows, tensor.length() / rows, takes, gives, bias));
    }
    network.init();
    try {
      return new VectorLayout(tensors, state(network));
    } finally {
      network.close();
    }
  }

  private static List<VectorLayout.State> state(Network network) {
    int parameters = Math.toIntExact(network.parameters().length());
    List<VectorLayout.State> state = new ArrayList<>();
    for (UpdaterBlock block : network.updaterBlocks()) {
      int length = block.getUpdaterViewOffsetEnd() - block.getUpdaterViewOffsetStart();
      if (length > 0) {
        int from = block.getParamOffsetStart();
        int to = block.getParamOffsetEnd();
        state.add(
            new VectorLayout.State(
                from, to, parameters + block.getUpdaterViewOffsetStart(), length / (to - from)));
      }
    }
    return state;
  }

  private static FeedForwardLayer first(Network network) {
    require(
        network.inputs().size() == 1 && network.outputs().size() == 1,
        "it has the inputs %s and the outputs %s, and one of each can grow"
            .formatted(network.inputs(), network.outputs()));
    String input = network.inputs().get(0);
    require(
        network.takers(input) == 1,
        "%s of its layers take the input, and one can grow".formatted(network.takers(input)));
    Layer first = network.firstLayer(input);
    require(
        first != null
            && FIRST.contains(first.getClass())
            && network.firstPreProcessor(input) == null,
        "its first layer is a %s, and only a DenseLayer, an LSTM or an output layer takes more"
                .formatted(name(first))
            + " features");
    return (FeedForwardLayer) first;
  }

  private static FeedForwardLayer last(Network network) {
    Layer last = network.lastLayer(network.outputs().get(0));
    require(
        last != null && LAST.contains(last.getClass()),
        "its last layer is a %s, and only an OutputLayer or an RnnOutputLayer gives more outputs"
            .formatted(name(last)));
    return (FeedForwardLayer) last;
  }

  private static String name(Layer layerOrNull) {
    return layerOrNull == null ? "vertex" : layerOrNull.getClass().getSimpleName();
  }

  private static void require(boolean condition, String reason) {
    if (!condition) {
      throw new InvalidModelException(
          "The model can't grow: %s. Train a new model".formatted(reason));
    }
  }
}
