package dev.millrace.model.dl4j;

import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.layers.Convolution1DLayer;
import org.deeplearning4j.nn.conf.layers.Convolution3D;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.Layer;

/** How a network wants the features of one example: as a row, or as an image. */
final class InputRows {

  private InputRows() {}

  /**
   * The shape of one example, without the dimension that counts examples. Features are taken
   * row-major in that shape: for an image all of its first channel comes first, unless the layer
   * asks for NHWC. A configuration for images that doesn't flatten them tells only the number of
   * channels, so these images are taken to be square.
   *
   * @throws IllegalArgumentException if the features are not such an image
   */
  static long[] shape(Network network, String input, int features) {
    Layer first = network.firstLayer(input);
    boolean image =
        network.firstPreProcessor(input) == null
            && first instanceof ConvolutionLayer
            && !(first instanceof Convolution1DLayer)
            && !(first instanceof Convolution3D);
    if (!image) {
      return new long[] {features};
    }
    ConvolutionLayer layer = (ConvolutionLayer) first;
    long channels = layer.getNIn();
    long side = Math.round(Math.sqrt((double) features / channels));
    if (side * side * channels != features) {
      throw new IllegalArgumentException(
          ("its first layer takes images of %s channels, and %s features are no square image of so"
                  + " many; build the configuration with InputType.convolutionalFlat(height, width,"
                  + " channels), which gives the sizes")
              .formatted(channels, features));
    }
    return layer.getCnn2dDataFormat() == CNN2DFormat.NHWC
        ? new long[] {side, side, channels}
        : new long[] {channels, side, side};
  }
}
