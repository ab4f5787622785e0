package dev.millrace.model.torch;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Rules that divide the gradient by the root of what they have seen of its squares. Each operation
 * is {@code torch.optim}'s.
 */
final class SquareRules implements UpdateRule {

  private static final double RMSPROP_DECAY = 0.99;
  private static final double RMSPROP_EPSILON = 1e-8;
  private static final double ADAGRAD_EPSILON = 1e-10;

  private final Natives natives = new Natives();
  private final FlatTensors tensors;
  private final Scalar keptOrNull;
  private final Scalar added;
  private final Scalar epsilon;
  private final Tensor divisor;

  private SquareRules(FlatTensors tensors, double decay, double epsilon) {
    this.tensors = tensors;
    this.keptOrNull = decay < 1 ? natives.keep(new Scalar(decay)) : null;
    this.added = natives.keep(new Scalar(decay < 1 ? 1 - decay : 1.0));
    this.epsilon = natives.keep(new Scalar(epsilon));
    this.divisor = natives.keep(torch.empty_like(tensors.gradients()));
  }

  /** Divides by the squares' moving average (Tieleman and Hinton 2012). */
  static UpdateRule rmsProp(FlatTensors tensors) {
    return new SquareRules(tensors, RMSPROP_DECAY, RMSPROP_EPSILON);
  }

  /** Divides by the squares' sum (Duchi et al. 2011). */
  static UpdateRule adaGrad(FlatTensors tensors) {
    return new SquareRules(tensors, 1, ADAGRAD_EPSILON);
  }

  @Override
  public void apply(double rate, long step) {
    Tensor gradients = tensors.gradients();
    Tensor squares = tensors.state(0);
    if (keptOrNull != null) {
      squares.mul_(keptOrNull);
    }
    squares.addcmul_(gradients, gradients, added);
    torch.sqrt_out(divisor, squares).add_(epsilon);
    tensors.parameters().addcdiv_(gradients, divisor, new Scalar(-rate));
  }

  @Override
  public void close() {
    natives.close();
  }
}
