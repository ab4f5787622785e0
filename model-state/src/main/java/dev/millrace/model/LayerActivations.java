package dev.millrace.model;

import java.util.Objects;

/**
 * What the units of one layer gave for some examples.
 *
 * @param layer its name, as in {@link LayerDescription}
 * @param rows one an example; of images one for each place in each, whose units are its maps
 * @param units of the layer
 * @param values row-major, {@code rows × units}
 */
@SuppressWarnings("ArrayRecordComponent") // It is handed on, never compared.
public record LayerActivations(String layer, int rows, int units, float[] values) {

  public LayerActivations {
    Objects.requireNonNull(layer, "layer");
    if (values.length != Math.multiplyExact(rows, units)) {
      throw new IllegalArgumentException(
          "%s rows of %s units aren't %s values".formatted(rows, units, values.length));
    }
  }
}
