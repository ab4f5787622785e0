package dev.millrace.model;

import dev.millrace.model.shape.IndexRange;
import java.io.Serializable;
import java.util.List;

/**
 * What of a model a job keeps as it is.
 *
 * @param layers their names
 * @param parameters where their parameters are in the vector, by rising index; of layers without
 *     any there are none
 */
public record Frozen(List<String> layers, List<IndexRange> parameters) implements Serializable {

  /** A model of which all is trained. */
  public static final Frozen NONE = new Frozen(List.of(), List.of());

  public Frozen {
    layers = List.copyOf(layers);
    parameters = List.copyOf(parameters);
  }
}
