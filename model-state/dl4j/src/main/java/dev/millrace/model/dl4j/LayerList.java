package dev.millrace.model.dl4j;

import dev.millrace.model.LayerDescription;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.shape.IndexRange;
import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.nd4j.linalg.learning.config.IUpdater;

/**
 * Collects the layers of a configuration, each behind the parameters of those before it, without
 * allocating any.
 */
final class LayerList {

  private record Entry(LayerDescription layer, NeuralNetConfiguration configurationOrNull) {}

  private final List<Entry> entries = new ArrayList<>();
  private int parameters;

  /**
   * @param name where the layer has none of its own
   */
  void add(String name, NeuralNetConfiguration configuration) {
    Layer layer = configuration.getLayer();
    add(
        layer.getLayerName() == null ? name : layer.getLayerName(),
        layer.getClass().getSimpleName(),
        layer.initializer().numParams(configuration),
        updater(layer),
        configuration);
  }

  /** Adds a vertex that is no layer. */
  void add(String name, GraphVertex vertex) {
    add(name, vertex.getClass().getSimpleName(), vertex.numParams(true), "", null);
  }

  private void add(
      String name,
      String type,
      long count,
      String updater,
      NeuralNetConfiguration configurationOrNull) {
    int end = Math.toIntExact(parameters + count);
    entries.add(
        new Entry(
            new LayerDescription(name, type, new IndexRange(parameters, end), updater),
            configurationOrNull));
    parameters = end;
  }

  List<LayerDescription> descriptions() {
    return entries.stream().map(Entry::layer).toList();
  }

  /** Returns the name of a layer that is in the list: of itself, not of one that is equal. */
  @SuppressWarnings("ReferenceEquality")
  String nameOf(Layer layer) {
    return entries.stream()
        .filter(entry -> entry.configurationOrNull != null)
        .filter(entry -> entry.configurationOrNull.getLayer() == layer)
        .findFirst()
        .orElseThrow()
        .layer
        .name();
  }

  /** The parameters of all layers, one by one; those of a vertex that is no layer are together. */
  List<TensorDescription> tensors() {
    List<TensorDescription> all = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.layer.parameters().length() > 0) {
        all.addAll(LayerTensors.of(entry.layer, entry.configurationOrNull));
      }
    }
    return List.copyOf(all);
  }

  /** Returns the updater of the layer's first parameters, which are its weights. */
  private static String updater(Layer layer) {
    List<String> keys = layer.initializer().paramKeys(layer);
    // Wrappers, such as LastTimeStep, don't tell.
    IUpdater updater =
        keys.isEmpty() ? null : RecurrentLayers.unwrapped(layer).getUpdaterByParam(keys.get(0));
    if (updater == null) {
      return "";
    }
    String name = updater.getClass().getSimpleName();
    return updater.hasLearningRate() ? name + " " + updater.getLearningRate(0, 0) : name;
  }
}
