package dev.millrace.model.dl4j.layers;

import java.lang.ref.Reference;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The patches of images that a kernel goes over, as the rows of a matrix ("im2col"), and back from
 * them to images ("col2im"), in DL4J's order: examples, height, width, and in a row channels,
 * height, width. The matrix is used again and again.
 *
 * <p>Not thread-safe.
 */
final class Patches {

  private final ImageValues image = new ImageValues();

  private INDArray matrix;
  private INDArray transposed;
  private FloatPointer values;
  private float[] rows = {};

  /** Returns a row for each patch, as they were put here last. */
  INDArray matrix() {
    return matrix;
  }

  /** Returns a column for each patch: a view of the matrix. */
  INDArray transposed() {
    return transposed;
  }

  /**
   * Lays out the patches of images.
   *
   * @param images floats: examples, channels, height, width
   */
  void layOut(INDArray images, Window window) {
    int examples = (int) images.size(0);
    resize(examples, window);
    INDArray source = ImageValues.hasWholePlanes(images) ? images : images.dup('c');
    FloatPointer from = new FloatPointer(source.data().addressPointer());
    try {
      for (int example = 0; example < examples; example++) {
        image.read(from, source, example);
        image.layOut(window, rows);
        values.position((long) example * rows.length).put(rows, 0, rows.length);
      }
    } finally {
      Reference.reachabilityFence(source);
    }
  }

  /**
   * Adds up what patches have for each place of the images, in the order of the patches.
   *
   * @param images floats: examples, channels, height, width, with whole planes; are overwritten
   */
  void addUp(INDArray images, Window window) {
    int examples = (int) images.size(0);
    FloatPointer to = new FloatPointer(images.data().addressPointer());
    try {
      for (int example = 0; example < examples; example++) {
        values.position((long) example * rows.length).get(rows, 0, rows.length);
        image.addUp(window, rows, images);
        image.write(to, images, example);
      }
    } finally {
      Reference.reachabilityFence(images);
    }
  }

  @SuppressWarnings("try") // The resource is a scope.
  private void resize(int examples, Window window) {
    long places = (long) examples * window.places();
    long columns = window.values();
    if (matrix != null && matrix.size(0) == places && matrix.size(1) == columns) {
      return;
    }
    rows = new float[window.places() * window.values()];
    try (MemoryWorkspace outside = Nd4j.getMemoryManager().scopeOutOfWorkspaces()) {
      matrix = Nd4j.createUninitialized(DataType.FLOAT, new long[] {places, columns}, 'c');
    }
    transposed = matrix.transpose();
    values = new FloatPointer(matrix.data().addressPointer());
  }
}
