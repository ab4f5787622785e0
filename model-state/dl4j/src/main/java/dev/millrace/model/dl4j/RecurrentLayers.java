package dev.millrace.model.dl4j;

import java.util.OptionalLong;
import org.deeplearning4j.nn.conf.RNNFormat;
import org.deeplearning4j.nn.conf.layers.BaseRecurrentLayer;
import org.deeplearning4j.nn.conf.layers.Convolution1DLayer;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.EmbeddingLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.Bidirectional;
import org.deeplearning4j.nn.conf.layers.wrapper.BaseWrapperLayer;

/** What layers say of sequences. */
final class RecurrentLayers {

  private RecurrentLayers() {}

  /** The layer that has a wrapper's parameters, under the same names; others themselves. */
  static Layer unwrapped(Layer layer) {
    return layer instanceof BaseWrapperLayer wrapper ? unwrapped(wrapper.getUnderlying()) : layer;
  }

  /** The layer that a wrapper computes with; others themselves. */
  static Layer within(Layer layer) {
    Layer unwrapped = unwrapped(layer);
    return unwrapped instanceof Bidirectional both ? within(both.getFwd()) : unwrapped;
  }

  /** Whether it takes sequences, and nothing else. */
  static boolean takesSequences(Layer layerOrNull) {
    return layerOrNull != null
        && (within(layerOrNull) instanceof BaseRecurrentLayer
            || layerOrNull instanceof RnnOutputLayer
            || layerOrNull instanceof Convolution1DLayer);
  }

  /** Whether it takes rows or images, and no sequences. */
  static boolean takesRows(Layer layerOrNull) {
    return layerOrNull instanceof DenseLayer
        || layerOrNull instanceof OutputLayer
        || layerOrNull instanceof EmbeddingLayer
        || (layerOrNull instanceof ConvolutionLayer
            && !(layerOrNull instanceof Convolution1DLayer));
  }

  /** Returns how many values a layer of sequences takes of each step, where it says so. */
  static OptionalLong width(Layer layerOrNull) {
    return takesSequences(layerOrNull) && within(layerOrNull) instanceof FeedForwardLayer layer
        ? OptionalLong.of(layer.getNIn())
        : OptionalLong.empty();
  }

  /**
   * Whether it wants steps before values, as examples aren't given. An output layer that says
   * nothing does.
   */
  static boolean wantsStepsFirst(Layer layerOrNull) {
    if (layerOrNull == null) {
      return false;
    }
    Layer layer = within(layerOrNull);
    return (layer instanceof BaseRecurrentLayer recurrent
            && recurrent.getRnnDataFormat() == RNNFormat.NWC)
        || (layer instanceof RnnOutputLayer output && output.getRnnDataFormat() != RNNFormat.NCW)
        || (layer instanceof Convolution1DLayer convolution
            && convolution.getRnnDataFormat() == RNNFormat.NWC);
  }
}
