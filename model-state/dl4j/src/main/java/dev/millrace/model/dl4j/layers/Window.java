package dev.millrace.model.dl4j.layers;

/**
 * How a kernel goes over images.
 *
 * @param channels of an image
 */
record Window(int channels, Side height, Side width) {

  /**
   * One direction of it.
   *
   * @param kernel values of the kernel
   * @param stride from one place to the next
   * @param padding zeros before the image
   * @param dilation from one value of the kernel to the next
   * @param places that the kernel has
   */
  record Side(int kernel, int stride, int padding, int dilation, int places) {

    /** Takes the values of one direction. */
    static Side of(
        int direction, int[] kernel, int[] stride, int[] padding, int[] dilation, int[] places) {
      return new Side(
          kernel[direction],
          stride[direction],
          padding[direction],
          dilation[direction],
          places[direction]);
    }

    /** Returns which of the image's values is first in a place; below 0 in the padding. */
    int first(int place) {
      return place * stride - padding;
    }

    /** Whether a kernel whose first value is there has no padding in it. */
    boolean isInside(int first, int size) {
      return first >= 0 && first + (kernel - 1) * dilation < size;
    }
  }

  /** Values of a patch. */
  int values() {
    return channels * height.kernel() * width.kernel();
  }

  /** Places in an image. */
  int places() {
    return height.places() * width.places();
  }
}
