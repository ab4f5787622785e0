package dev.millrace.model.torch;

import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.Scalar;

/** Rules whose steps grow with the gradient, as {@code torch.optim.SGD}'s do. */
final class GradientRules {

  private static final String NESTEROVS =
      """
      (parameters: Tensor, gradients: Tensor, velocity: Tensor, rate: float, momentum: float):
          changed = [parameters]
          velocities = [velocity]
          torch._fused_sgd_(changed, [gradients], velocities, weight_decay=0.0, momentum=momentum,
              lr=rate, dampening=0.0, nesterov=True, maximize=False, is_first_step=False)
          return changed, velocities
      """;

  private GradientRules() {}

  static UpdateRule sgd(FlatTensors tensors) {
    return (rate, step) -> tensors.parameters().add_(tensors.gradients(), new Scalar(-rate));
  }

  /** Sutskever et al. (2013). The momentum is of past gradients, not of past steps. */
  static UpdateRule nesterovs(FlatTensors tensors, double momentum) {
    FusedStep fused = new FusedStep(NESTEROVS);
    return new UpdateRule() {

      @Override
      public void apply(double rate, long step) {
        fused.run(
            new IValue(tensors.parameters()),
            new IValue(tensors.gradients()),
            new IValue(tensors.state(0)),
            new IValue(rate),
            new IValue(momentum));
      }

      @Override
      public void close() {
        fused.close();
      }
    };
  }
}
