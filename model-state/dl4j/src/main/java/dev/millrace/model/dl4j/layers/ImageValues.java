package dev.millrace.model.dl4j.layers;

import java.util.Arrays;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/** The values of one image, channel by channel, row by row. Not thread-safe. */
final class ImageValues {

  private int channels;
  private int height;
  private int width;
  private float[] values = {};

  /** Whether the rows of each channel of each image are one behind the other. */
  static boolean hasWholePlanes(INDArray images) {
    return images.dataType() == DataType.FLOAT
        && images.stride(3) == 1
        && images.stride(2) == images.size(3);
  }

  /**
   * Copies one of several images in.
   *
   * @param from where the first value of the first is
   */
  void read(FloatPointer from, INDArray images, int number) {
    resize(images);
    for (int channel = 0; channel < channels; channel++) {
      from.position(first(images, number, channel))
          .get(values, channel * height * width, height * width);
    }
  }

  /**
   * Copies it out, as one of several images.
   *
   * @param to where the first value of the first is
   */
  void write(FloatPointer to, INDArray images, int number) {
    for (int channel = 0; channel < channels; channel++) {
      to.position(first(images, number, channel))
          .put(values, channel * height * width, height * width);
    }
  }

  private static long first(INDArray images, int number, int channel) {
    return (long) number * images.stride(0) + (long) channel * images.stride(1);
  }

  private void resize(INDArray images) {
    channels = (int) images.size(1);
    height = (int) images.size(2);
    width = (int) images.size(3);
    if (values.length != channels * height * width) {
      values = new float[channels * height * width];
    }
  }

  /** Copies each patch, with zeros where it is outside of the image. */
  void layOut(Window window, float[] patches) {
    Window.Side wide = window.width();
    Window.Side tall = window.height();
    int to = 0;
    for (int y = 0; y < tall.places(); y++) {
      int top = tall.first(y);
      for (int x = 0; x < wide.places(); x++) {
        int left = wide.first(x);
        boolean inside = wide.isInside(left, width);
        for (int channel = 0; channel < channels; channel++) {
          for (int k = 0; k < tall.kernel(); k++) {
            int row = top + k * tall.dilation();
            int from = (channel * height + row) * width + left;
            if (row < 0 || row >= height) {
              Arrays.fill(patches, to, to + wide.kernel(), 0f);
            } else if (inside) {
              copy(from, patches, to, wide);
            } else {
              copyInside(from, left, patches, to, wide);
            }
            to += wide.kernel();
          }
        }
      }
    }
  }

  private void copy(int from, float[] patches, int to, Window.Side wide) {
    if (wide.dilation() == 1) {
      // A loop of so few turns takes twice as long.
      System.arraycopy(values, from, patches, to, wide.kernel());
      return;
    }
    for (int k = 0, at = from; k < wide.kernel(); k++, at += wide.dilation()) {
      patches[to + k] = values[at];
    }
  }

  private void copyInside(int from, int left, float[] patches, int to, Window.Side wide) {
    for (int k = 0; k < wide.kernel(); k++) {
      int column = left + k * wide.dilation();
      patches[to + k] = column >= 0 && column < width ? values[from + k * wide.dilation()] : 0f;
    }
  }

  /**
   * Adds each patch to where it is in the image, which is zero before.
   *
   * @param images have the size of the image
   */
  void addUp(Window window, float[] patches, INDArray images) {
    resize(images);
    Arrays.fill(values, 0f);
    Window.Side wide = window.width();
    Window.Side tall = window.height();
    int from = 0;
    for (int y = 0; y < tall.places(); y++) {
      int top = tall.first(y);
      for (int x = 0; x < wide.places(); x++) {
        int left = wide.first(x);
        boolean inside = wide.isInside(left, width);
        for (int channel = 0; channel < channels; channel++) {
          for (int k = 0; k < tall.kernel(); k++) {
            int row = top + k * tall.dilation();
            int to = (channel * height + row) * width + left;
            if (row >= 0 && row < height) {
              if (inside) {
                add(patches, from, to, wide);
              } else {
                addInside(patches, from, to, left, wide);
              }
            }
            from += wide.kernel();
          }
        }
      }
    }
  }

  private void add(float[] patches, int from, int to, Window.Side wide) {
    int dilation = wide.dilation();
    for (int k = 0, at = to; k < wide.kernel(); k++, at += dilation) {
      values[at] += patches[from + k];
    }
  }

  private void addInside(float[] patches, int from, int to, int left, Window.Side wide) {
    for (int k = 0; k < wide.kernel(); k++) {
      int column = left + k * wide.dilation();
      if (column >= 0 && column < width) {
        values[to + k * wide.dilation()] += patches[from + k];
      }
    }
  }
}
