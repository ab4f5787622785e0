package dev.millrace.model.freeze;

import dev.millrace.model.Frozen;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.IndexRange;
import java.util.List;

/** Finds layers by name. */
public final class FrozenLayers {

  /** Stands for all layers but the last one that has parameters. */
  public static final String ALL_BUT_OUTPUT = "all-but-output";

  private FrozenLayers() {}

  /**
   * Returns a model of which some layers are frozen.
   *
   * @param names of layers, or of parts that have layers, as {@code features} has {@code
   *     features.0}; or {@link #ALL_BUT_OUTPUT}
   * @throws InvalidModelException if there is no such layer, or none is left to train
   */
  public static ModelSpec in(ModelEngine engine, ModelSpec spec, List<String> names) {
    if (names.isEmpty()) {
      return spec;
    }
    if (engine.members().isPresent()) {
      throw new InvalidModelException(
          "A model that is made of several can't have frozen layers; take one alone");
    }
    List<LayerDescription> layers = layers(engine, spec);
    LayerDescription output = output(layers);
    for (String name : names) {
      if (!name.equals(ALL_BUT_OUTPUT) && layers.stream().noneMatch(l -> isOf(l, name))) {
        throw new InvalidModelException(
            "The network has no layer '%s' to freeze; it has %s, and '%s' stands for all but %s"
                .formatted(
                    name,
                    layers.stream().map(LayerDescription::name).toList(),
                    ALL_BUT_OUTPUT,
                    output.name()));
      }
    }
    List<LayerDescription> frozen =
        layers.stream()
            .filter(
                layer ->
                    names.stream().anyMatch(name -> isOf(layer, name))
                        || (names.contains(ALL_BUT_OUTPUT) && !layer.equals(output)))
            .toList();
    List<IndexRange> parameters =
        frozen.stream().map(LayerDescription::parameters).filter(r -> r.length() > 0).toList();
    if (layers.stream().noneMatch(l -> l.parameters().length() > 0 && !frozen.contains(l))) {
      throw new InvalidModelException(
          "All layers of the network are frozen, %s, so there is nothing to train; leave one out"
              .formatted(frozen.stream().map(LayerDescription::name).toList()));
    }
    return spec.with(new Frozen(frozen.stream().map(LayerDescription::name).toList(), parameters));
  }

  /** Returns the name of the last layer that has parameters. */
  public static String output(ModelEngine engine, ModelSpec spec) {
    return output(layers(engine, spec)).name();
  }

  private static LayerDescription output(List<LayerDescription> layers) {
    List<LayerDescription> trained =
        layers.stream().filter(layer -> layer.parameters().length() > 0).toList();
    return trained.get(trained.size() - 1);
  }

  /** Statistics that are kept apart are no layers: nothing trains them. */
  private static List<LayerDescription> layers(ModelEngine engine, ModelSpec spec) {
    return engine.describe(spec.kind(), spec.configuration()).stream()
        .filter(
            layer ->
                layer.parameters().length() == 0
                    || spec.runningStatistics().stream()
                        .noneMatch(
                            all -> all.intersect(layer.parameters()).equals(layer.parameters())))
        .toList();
  }

  private static boolean isOf(LayerDescription layer, String name) {
    return layer.name().equals(name) || layer.name().startsWith(name + ".");
  }
}
