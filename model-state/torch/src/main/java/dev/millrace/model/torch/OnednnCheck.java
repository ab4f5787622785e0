package dev.millrace.model.torch;

import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Checks that oneDNN, which libtorch has compute convolutions on CPUs, computes them right on this
 * one. On virtual machines of AMD EPYC processors (family 26) that of libtorch 2.10 was seen to
 * give other values for windows of 5 × 5 and 7 × 7, forward and backward, with every instruction
 * set but SSE4.1: what a network learns and predicts is wrong then, and nothing says so.
 */
final class OnednnCheck {

  // The smallest convolution that was wrong in all three directions.
  private static final int IN = 20;
  private static final int OUT = 32;
  private static final int SIZE = 8;
  private static final int WINDOW = 5;
  private static final int RESULT = SIZE - WINDOW + 1;

  /** The greatest difference that rounding makes of these sums is a thousandth of it. */
  private static final double MOST = 1e-2;

  private final float[] image = values(IN * SIZE * SIZE, 1);
  private final float[] weights = values(OUT * IN * WINDOW * WINDOW, 2);
  private final float[] gradient = values(OUT * RESULT * RESULT, 3);

  // What they should be.
  private final double[] result = new double[gradient.length];
  private final double[] imageGradient = new double[image.length];
  private final double[] weightGradient = new double[weights.length];

  private OnednnCheck() {}

  /** Whether convolutions are right, by oneDNN or without it. */
  static boolean isSound() {
    OnednnCheck check = new OnednnCheck();
    check.compute();
    return check.agrees();
  }

  /** Values between -1 and 1 that repeat nowhere, and draw no random numbers of libtorch. */
  private static float[] values(int count, int salt) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (((i + 1) * 7919L + salt * 104729L) * 31 % 2001 - 1000) / 1000f;
    }
    return values;
  }

  private void compute() {
    for (int out = 0; out < OUT; out++) {
      for (int at = 0; at < RESULT * RESULT; at++) {
        for (int in = 0; in < IN; in++) {
          for (int place = 0; place < WINDOW * WINDOW; place++) {
            add(out, at, in, place);
          }
        }
      }
    }
  }

  /** Adds one product to the result, and what follows of it to both gradients. */
  private void add(int out, int at, int in, int place) {
    int to = out * RESULT * RESULT + at;
    int y = at / RESULT + place / WINDOW;
    int x = at % RESULT + place % WINDOW;
    int pixel = (in * SIZE + y) * SIZE + x;
    int weight = (out * IN + in) * WINDOW * WINDOW + place;
    result[to] += (double) image[pixel] * weights[weight];
    imageGradient[pixel] += (double) gradient[to] * weights[weight];
    weightGradient[weight] += (double) gradient[to] * image[pixel];
  }

  private boolean agrees() {
    try (PointerScope unused = new PointerScope()) {
      Tensor pixels = Tensor.create(image, 1, IN, SIZE, SIZE).set_requires_grad(true);
      Tensor window = Tensor.create(weights, OUT, IN, WINDOW, WINDOW).set_requires_grad(true);
      Tensor convolved = torch.conv2d(pixels, window);
      convolved.mul(Tensor.create(gradient, 1, OUT, RESULT, RESULT)).sum().backward();
      return isNear(convolved.detach(), result)
          && isNear(pixels.grad(), imageGradient)
          && isNear(window.grad(), weightGradient);
    }
  }

  private static boolean isNear(Tensor tensor, double[] expected) {
    float[] values = new float[expected.length];
    new FloatPointer(tensor.contiguous().data_ptr_float()).get(values);
    for (int i = 0; i < values.length; i++) {
      if (!(Math.abs(values[i] - expected[i]) <= MOST)) {
        return false;
      }
    }
    return true;
  }
}
