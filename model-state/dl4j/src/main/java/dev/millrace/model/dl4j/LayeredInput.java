package dev.millrace.model.dl4j;

import dev.millrace.model.dl4j.layers.QuickLayers;
import java.util.Map;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.MaskState;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * The place before the first layer of a {@link MultiLayerNetwork}, where the gradient of the input
 * comes by. It is in the network during a step alone: the configuration, as it is written
 * elsewhere, never has it.
 */
final class LayeredInput implements InputPreProcessor {

  private static final long serialVersionUID = 1;

  private final transient MultiLayerNetwork network;
  private final transient InputTaker taker;
  private final transient InputPreProcessor ownOrNull;

  private LayeredInput(MultiLayerNetwork network, InputTaker taker) {
    this.network = network;
    this.taker = taker;
    this.ownOrNull = network.getLayerWiseConfigurations().getInputPreProcess(0);
  }

  /**
   * Has the taker take the gradient of the input in a step.
   *
   * @param network of no layer that ends the backward pass, but for those frozen by {@link
   *     FrozenLayers}
   * @param step is one step of the network's
   */
  static void during(MultiLayerNetwork network, InputTaker taker, Runnable step) {
    LayeredInput input = new LayeredInput(network, taker);
    Layer[] layers = network.getLayers();
    Layer[] usual = layers.clone();
    input.put();
    FrozenLayers.passOn(layers);
    QuickLayers.tellInput(network, true);
    try {
      step.run();
    } finally {
      QuickLayers.tellInput(network, false);
      System.arraycopy(usual, 0, layers, 0, usual.length);
      input.takeOut();
    }
  }

  private void put() {
    processors().put(0, this);
  }

  private void takeOut() {
    if (ownOrNull == null) {
      processors().remove(0);
    } else {
      processors().put(0, ownOrNull);
    }
  }

  private Map<Integer, InputPreProcessor> processors() {
    return network.getLayerWiseConfigurations().getInputPreProcessors();
  }

  @Override
  public INDArray preProcess(INDArray input, int rows, LayerWorkspaceMgr workspaces) {
    return ownOrNull == null ? input : ownOrNull.preProcess(input, rows, workspaces);
  }

  @Override
  public INDArray backprop(INDArray gradient, int rows, LayerWorkspaceMgr workspaces) {
    INDArray ofInput =
        ownOrNull == null ? gradient : ownOrNull.backprop(gradient, rows, workspaces);
    if (ofInput != null) {
      taker.take(0, ofInput);
    }
    return ofInput;
  }

  @Override
  public Pair<INDArray, MaskState> feedForwardMaskArray(INDArray mask, MaskState state, int rows) {
    return ownOrNull == null
        ? new Pair<>(mask, state)
        : ownOrNull.feedForwardMaskArray(mask, state, rows);
  }

  @Override
  public InputType getOutputType(InputType inputType) {
    return ownOrNull == null ? inputType : ownOrNull.getOutputType(inputType);
  }

  /** Refuses: nothing clones a configuration while a step is made. */
  @Override
  public InputPreProcessor clone() {
    throw new UnsupportedOperationException("It is of one network");
  }
}
