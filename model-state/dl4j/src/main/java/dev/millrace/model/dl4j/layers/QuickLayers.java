package dev.millrace.model.dl4j.layers;

import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.graph.vertex.GraphVertex;
import org.deeplearning4j.nn.graph.vertex.impl.LayerVertex;
import org.deeplearning4j.nn.layers.BaseLayer;
import org.deeplearning4j.nn.layers.FrozenLayerWithBackprop;
import org.deeplearning4j.nn.layers.OutputLayer;
import org.deeplearning4j.nn.layers.convolution.ConvolutionLayer;
import org.deeplearning4j.nn.layers.feedforward.dense.DenseLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.buffer.DataType;

/**
 * Puts quick layers in the place of DL4J's dense, convolution and output layers of floats. DL4J
 * computes a layer's forward pass a second time in its backward pass, scores and the gradient of
 * inputs that nobody asks for, and takes most of the time of a convolution to lay out its patches.
 * Other layers, and subclasses of these, stay.
 *
 * <p>A network keeps its parameters, gradients and updater: they are views of the same arrays.
 */
public final class QuickLayers {

  private QuickLayers() {}

  /** Replaces layers of an initialized network, before its first step. */
  public static void in(MultiLayerNetwork network) {
    Layer[] layers = network.getLayers();
    for (int number = 0; number < layers.length; number++) {
      layers[number] = quick(layers[number], number == 0);
    }
  }

  /** Replaces layers of an initialized network, before its first step. */
  public static void in(ComputationGraph network) {
    Layer[] layers = network.getLayers();
    for (GraphVertex vertex : network.getVertices()) {
      if (vertex instanceof LayerVertex place) {
        Layer layer = place.getLayer();
        Layer quick = quick(layer, false);
        place.setLayer(quick);
        for (int number = 0; number < layers.length; number++) {
          if (layers[number] == layer) {
            layers[number] = quick;
          }
        }
      }
    }
  }

  /**
   * Has a network tell the gradient of its input, or no longer. By default its first layer leaves
   * it out where it is a quick one.
   */
  public static void tellInput(MultiLayerNetwork network, boolean told) {
    Layer first = network.getLayer(0);
    if (first instanceof FrozenLayerWithBackprop frozen) {
      first = frozen.getInsideLayer();
    }
    if (first instanceof QuickDense dense) {
      dense.tellInput(told);
    } else if (first instanceof QuickConvolution convolution) {
      convolution.tellInput(told);
    }
  }

  private static Layer quick(Layer layer, boolean first) {
    if (layer.getClass() == DenseLayer.class) {
      DenseLayer dense = (DenseLayer) layer;
      if (dense.getDataType() == DataType.FLOAT && !dense.hasLayerNorm()) {
        return moved(dense, new QuickDense(dense.conf(), first));
      }
    } else if (layer.getClass() == ConvolutionLayer.class) {
      ConvolutionLayer convolution = (ConvolutionLayer) layer;
      if (QuickConvolution.isPossible(convolution)) {
        return moved(convolution, new QuickConvolution(convolution.conf(), first));
      }
    } else if (layer.getClass() == OutputLayer.class) {
      OutputLayer output = (OutputLayer) layer;
      if (output.getDataType() == DataType.FLOAT) {
        return moved(output, new QuickOutput(output.conf()));
      }
    }
    return layer;
  }

  /** Gives a layer another's parameters and gradients, and its place in the network. */
  private static Layer moved(BaseLayer<?> from, BaseLayer<?> to) {
    to.setIndex(from.getIndex());
    to.setParamsViewArray(from.params());
    to.setParamTable(from.paramTable());
    if (from.getGradientsViewArray() != null) {
      to.setBackpropGradientsViewArray(from.getGradientsViewArray());
    }
    to.setIterationCount(from.getIterationCount());
    to.setEpochCount(from.getEpochCount());
    to.setCacheMode(from.getCacheMode());
    to.setListeners(from.getListeners());
    return to;
  }
}
