package dev.millrace.model;

import dev.millrace.model.shape.IndexRange;
import java.util.Objects;

/**
 * One layer of a network, as its engine tells of it.
 *
 * @param type the engine's own name for this kind of layer
 * @param parameters which of the flat vector's values are the layer's; empty where it has none
 * @param updater what changes them, in the engine's words: its name, and behind a space what it is
 *     set to; empty where nothing does
 */
public record LayerDescription(String name, String type, IndexRange parameters, String updater) {

  public LayerDescription {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(parameters, "parameters");
    Objects.requireNonNull(updater, "updater");
  }

  /** The name of what changes them, which says what its state means; empty where nothing does. */
  public String updaterName() {
    return updater.split(" ", 2)[0];
  }
}
