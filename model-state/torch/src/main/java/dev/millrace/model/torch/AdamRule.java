package dev.millrace.model.torch;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Adam (Kingma and Ba 2015); each operation is {@code torch.optim.Adam}'s. With decay it is AdamW
 * (Loshchilov and Hutter 2019), whose weights shrink before the step, and biases don't.
 */
final class AdamRule implements UpdateRule {

  private static final double BETA_2 = 0.999;
  private static final double EPSILON = 1e-8;

  private final Natives natives = new Natives();
  private final Scalar beta1;
  private final Scalar beta2 = natives.keep(new Scalar(BETA_2));
  private final Scalar rest1;
  private final Scalar rest2 = natives.keep(new Scalar(1 - BETA_2));
  private final Scalar epsilon = natives.keep(new Scalar(EPSILON));
  private final FlatTensors tensors;
  private final double momentum;
  private final double decay;
  private final Tensor divisor;

  /**
   * @param momentum decay of the first moment, at least 0 and below 1
   * @param decay share of the rate by which weights shrink; 0 for none
   */
  AdamRule(FlatTensors tensors, double momentum, double decay) {
    this.tensors = tensors;
    this.momentum = momentum;
    this.beta1 = natives.keep(new Scalar(momentum));
    this.rest1 = natives.keep(new Scalar(1 - momentum));
    this.decay = decay;
    this.divisor = natives.keep(torch.empty_like(tensors.gradients()));
  }

  @Override
  public void apply(double rate, long step) {
    if (decay > 0) {
      Scalar kept = new Scalar(1 - rate * decay);
      tensors.weights().forEach(weights -> weights.values().mul_(kept));
    }
    Tensor gradients = tensors.gradients();
    Tensor mean = tensors.state(0);
    Tensor square = tensors.state(1);
    mean.mul_(beta1).add_(gradients, rest1);
    square.mul_(beta2).addcmul_(gradients, gradients, rest2);
    double correction1 = 1 - Math.pow(momentum, (double) step);
    double correction2 = 1 - Math.pow(BETA_2, (double) step);
    torch.sqrt_out(divisor, square).div_(new Scalar(Math.sqrt(correction2))).add_(epsilon);
    tensors.parameters().addcdiv_(mean, divisor, new Scalar(-rate / correction1));
  }

  @Override
  public void close() {
    natives.close();
  }
}
