package dev.millrace.model.torch;

import org.bytedeco.pytorch.Tensor;

/** The gradient of a step's input, and its way to the heap. Belongs to the replica's thread. */
final class InputGradient implements AutoCloseable {

  private final RowOutput output;
  private Tensor input;

  InputGradient(TorchDevice device) {
    this.output = device.output();
  }

  /**
   * Returns the rows of an input for a network to compute with, until {@link #take} in the same
   * scope.
   */
  Tensor watched(Tensor rows) {
    input = rows.detach();
    input.set_requires_grad(true);
    // A copy: libtorch refuses networks that change what a gradient is asked of.
    return input.clone();
  }

  /**
   * Starts to copy the gradient, once it is computed.
   *
   * @param copies how many times the network was given the rows, one behind the other
   * @throws UnsupportedOperationException if the loss doesn't depend on the input by any operation
   *     that has a gradient
   */
  void take(int copies) {
    Tensor gradient = input.grad();
    input = null;
    if (!gradient.defined()) {
      throw new UnsupportedOperationException(
          "The engine torch can't give gradients of this network's inputs: none of its outputs"
              + " depends on them by operations that have gradients; compute with the features as"
              + " they are, without detach() and conversions to whole numbers");
    }
    long rows = gradient.size(0) / copies;
    Tensor sum = gradient.narrow(0, 0, rows);
    for (int copy = 1; copy < copies; copy++) {
      sum = sum.add(gradient.narrow(0, copy * rows, rows));
    }
    output.take(sum);
  }

  /** Waits for what was taken last, and copies it to the heap, row-major. */
  void give(float[] target) {
    output.give(target);
  }

  @Override
  public void close() {
    output.close();
  }
}
