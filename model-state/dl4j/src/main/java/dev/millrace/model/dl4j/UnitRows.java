package dev.millrace.model.dl4j;

import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * A layer's activations as rows of its units: of images one for each place, whose units are maps.
 */
final class UnitRows {

  private UnitRows() {}

  /** Null where the layer has no units of its own, or gives sequences. */
  static INDArray ofOrNull(Layer layer, INDArray activations) {
    if (!(layer instanceof FeedForwardLayer units)) {
      return null;
    }
    long count = units.getNOut();
    if (activations.rank() == 2) {
      return activations;
    }
    if (activations.rank() != 4) {
      return null;
    }
    INDArray mapsLast =
        activations.size(1) == count ? activations.permute(0, 2, 3, 1) : activations;
    return mapsLast.dup('c').reshape('c', mapsLast.length() / count, count);
  }
}
