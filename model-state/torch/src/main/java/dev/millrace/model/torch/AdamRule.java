package dev.millrace.model.torch;

import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Adam (Kingma and Ba 2015) as {@code torch.optim.Adam} with {@code fused=True}. With decay it is
 * AdamW (Loshchilov and Hutter 2019), whose weights shrink before the step, and biases don't.
 */
final class AdamRule implements UpdateRule {

  private static final String SCRIPT =
      """
      (parameters: Tensor, gradients: Tensor, mean: Tensor, square: Tensor, steps: Tensor,
       rate: float, momentum: float):
          changed = [parameters]
          means = [mean]
          squares = [square]
          torch._fused_adam_(changed, [gradients], means, squares, [], [steps], lr=rate,
              beta1=momentum, beta2=0.999, weight_decay=0.0, eps=1e-8, amsgrad=False,
              maximize=False)
          return changed, means, squares
      """;

  private final Natives natives = new Natives();
  private final FusedStep fused = new FusedStep(SCRIPT);
  private final FlatTensors tensors;
  private final double momentum;
  private final double decay;
  private final Tensor steps;

  /**
   * @param momentum decay of the first moment, at least 0 and below 1
   * @param decay share of the rate by which weights shrink; 0 for none
   */
  AdamRule(FlatTensors tensors, double momentum, double decay) {
    this.tensors = tensors;
    this.momentum = momentum;
    this.decay = decay;
    this.steps = natives.keep(torch.zeros_like(tensors.parameters().select(0, 0)));
  }

  @Override
  public void apply(double rate, long step) {
    if (decay > 0) {
      Scalar kept = new Scalar(1 - rate * decay);
      tensors.weights().forEach(weights -> weights.values().mul_(kept));
    }
    steps.fill_(new Scalar((double) step));
    fused.run(
        new IValue(tensors.parameters()),
        new IValue(tensors.gradients()),
        new IValue(tensors.state(0)),
        new IValue(tensors.state(1)),
        new IValue(steps),
        new IValue(rate),
        new IValue(momentum));
  }

  @Override
  public void close() {
    fused.close();
    natives.close();
  }
}
