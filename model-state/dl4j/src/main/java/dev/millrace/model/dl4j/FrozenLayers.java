package dev.millrace.model.dl4j;

import dev.millrace.model.LayerDescription;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.TrainingConfig;
import org.deeplearning4j.nn.api.layers.IOutputLayer;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.graph.vertex.GraphVertex;
import org.deeplearning4j.nn.graph.vertex.impl.LayerVertex;
import org.deeplearning4j.nn.layers.FrozenLayer;
import org.deeplearning4j.nn.layers.FrozenLayerWithBackprop;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.updater.UpdaterBlock;

/** Keeps layers that don't learn as they are. */
final class FrozenLayers {

  private FrozenLayers() {}

  /**
   * Freezes layers of an initialized network whose updater is there.
   *
   * @param described its layers, by number
   */
  static void in(MultiLayerNetwork network, List<LayerDescription> described, Set<String> names) {
    Layer[] layers = network.getLayers();
    boolean first = true;
    for (int number = 0; number < layers.length; number++) {
      if (names.contains(described.get(number).name())) {
        layers[number] = frozen(layers[number], first);
      } else {
        first &= described.get(number).parameters().length() == 0;
      }
    }
  }

  /** Freezes layers of an initialized graph whose updater is there. */
  static void in(ComputationGraph network, Set<String> names) {
    List<Layer> layers = Arrays.asList(network.getLayers());
    for (GraphVertex vertex : network.getVertices()) {
      if (vertex instanceof LayerVertex place) {
        Layer layer = place.getLayer();
        String own = layer.conf().getLayer().getLayerName();
        if (names.contains(own == null ? place.getVertexName() : own)) {
          place.setLayer(frozen(layer, false));
          layers.set(layers.indexOf(layer), place.getLayer());
        }
      }
    }
  }

  /**
   * DL4J has no wrapper of output layers, which have nothing that differs in production.
   *
   * @param first whether nothing before it learns
   */
  private static Layer frozen(Layer layer, boolean first) {
    if (layer instanceof IOutputLayer
        || layer instanceof FrozenLayer
        || layer instanceof FrozenLayerWithBackprop) {
      return layer;
    }
    return first ? new FrozenLayer(layer) : new FrozenLayerWithBackprop(layer);
  }

  /** Has gradients go through frozen layers that end the backward pass. */
  static void passOn(Layer[] layers) {
    for (int number = 0; number < layers.length; number++) {
      if (layers[number] instanceof FrozenLayer frozen) {
        layers[number] = new FrozenLayerWithBackprop(frozen.getInsideLayer());
      }
    }
  }

  /**
   * Takes penalties on weights off layers that only pass gradients on: their own are zero, and DL4J
   * (1.0.0-M2.1) adds the penalties to these all the same. Layers that are frozen in the other way
   * have none.
   *
   * @param blocks of an initialized network
   */
  static void unpenalize(List<UpdaterBlock> blocks) {
    for (UpdaterBlock block : blocks) {
      for (UpdaterBlock.ParamState parameter : block.getLayersAndVariablesInBlock()) {
        TrainingConfig configuration = parameter.getLayer().getConfig();
        if (parameter.getLayer() instanceof FrozenLayerWithBackprop
            && configuration instanceof BaseLayer layer) {
          layer.setRegularization(List.of());
          layer.setRegularizationBias(List.of());
        }
      }
    }
  }
}
