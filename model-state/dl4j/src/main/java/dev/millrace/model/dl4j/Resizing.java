package dev.millrace.model.dl4j;

import dev.millrace.model.InitialModel;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.VectorLayout;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  /**
   * Returns the same network for examples of another shape, with new values.
   *
   * @param old the shape that it is for
   */
  static InitialModel resized(Network network, ExampleShape old, ExampleShape shape, long seed) {
    if (shape.features() != old.features()) {
      requireFirst(network).setNIn(shape.width());
    }
    last(network).setNOut(shape.outputs());
    network.settings().setSeed(seed);
    String origin = "The model, grown";
    return InitialModels.made(ConfigurationJson.read(network.toJson(), origin), shape, origin);
  }

  /**
   * Returns how the network's values lie in its vector.
   *
   * @param network not yet initialized
   */
  static VectorLayout layout(Network network) {
    Optional<FeedForwardLayer> first = first(network);
    FeedForwardLayer last = last(network);
    LayerList layers = network.layers();
    List<VectorLayout.Tensor> tensors = new ArrayList<>();
    for (TensorDescription tensor : layers.tensors()) {
      boolean takes =
          first.filter(l -> tensor.name().equals(layers.nameOf(l) + "." + WEIGHTS)).isPresent();
      boolean bias = tensor.name().equals(layers.nameOf(last) + "." + BIAS);
      boolean gives = bias || tensor.name().equals(layers.nameOf(last) + "." + WEIGHTS);
      // DL4J's weights are in Fortran's order: the inputs of a unit follow one another.
      int rows =
          gives
              ? Math.toIntExact(last.getNOut())
              : takes
                  ? tensor.length() / Math.toIntExact(first.orElseThrow().getNIn())
                  : tensor.length();
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

  /** Returns where an initialized network keeps what its updaters know. */
  static List<VectorLayout.State> state(Network network) {
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

  /** Returns the layer that takes more features, where the network has such a one. */
  private static Optional<FeedForwardLayer> first(Network network) {
    String input = network.inputs().get(0);
    Layer first = network.firstLayer(input);
    boolean grows =
        network.inputs().size() == 1
            && network.takers(input) == 1
            && first != null
            && FIRST.contains(first.getClass())
            && network.firstPreProcessor(input) == null;
    return grows ? Optional.of((FeedForwardLayer) first) : Optional.empty();
  }

  private static FeedForwardLayer requireFirst(Network network) {
    require(
        network.inputs().size() == 1,
        "it has the inputs %s, and one can grow".formatted(network.inputs()));
    String input = network.inputs().get(0);
    require(
        network.takers(input) == 1,
        "%s of its layers take the input, and one can grow".formatted(network.takers(input)));
    Optional<FeedForwardLayer> first = first(network);
    require(
        first.isPresent(),
        "its first layer is a %s, and only a DenseLayer, an LSTM or an output layer takes more"
                .formatted(name(network.firstLayer(input)))
            + " features");
    return first.orElseThrow();
  }

  private static FeedForwardLayer last(Network network) {
    require(
        network.outputs().size() == 1,
        "it has the outputs %s, and one can grow or be replaced".formatted(network.outputs()));
    Layer last = network.lastLayer(network.outputs().get(0));
    require(
        last != null && LAST.contains(last.getClass()),
        "its last layer is a %s, and only an OutputLayer or an RnnOutputLayer gives other outputs"
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
