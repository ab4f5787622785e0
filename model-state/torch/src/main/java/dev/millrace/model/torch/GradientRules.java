package dev.millrace.model.torch;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Rules whose steps grow with the gradient; each operation is {@code torch.optim.SGD}'s. */
final class GradientRules {

  private GradientRules() {}

  static UpdateRule sgd(FlatTensors tensors) {
    return (rate, step) -> tensors.parameters().add_(tensors.gradients(), new Scalar(-rate));
  }

  /** Sutskever et al. (2013). The momentum is of past gradients, not of past steps. */
  static UpdateRule nesterovs(FlatTensors tensors, double momentum) {
    Natives natives = new Natives();
    Scalar share = natives.keep(new Scalar(momentum));
    Tensor ahead = natives.keep(torch.empty_like(tensors.gradients()));
    return new UpdateRule() {

      @Override
      public void apply(double rate, long step) {
        Tensor velocity = tensors.state(0);
        velocity.mul_(share).add_(tensors.gradients());
        torch.add_out(ahead, tensors.gradients(), velocity, share);
        tensors.parameters().add_(ahead, new Scalar(-rate));
      }

      @Override
      public void close() {
        natives.close();
      }
    };
  }
}
