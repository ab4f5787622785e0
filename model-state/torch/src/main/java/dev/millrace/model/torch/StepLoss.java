package dev.millrace.model.torch;

import dev.millrace.model.shape.Target;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.Reduction;

/**
 * The loss of a step, as PyTorch's classes have it: the mean over the rows of each one's loss,
 * which is itself a mean over outputs (but for cross entropy). The loss of a row of weight w is
 * multiplied by w; the sum is still divided by the number of rows.
 */
final class StepLoss {

  private static final long IGNORE_NONE = -100;
  private static final double HUBER_DELTA = 1;

  private final Loss loss;
  private final Target target;

  StepLoss(Loss loss, Target target) {
    this.loss = loss;
    this.target = target;
  }

  /**
   * The loss of a step, a scalar.
   *
   * @param outputs [rows, outputs] of the network: logits, or numbers
   * @param labels of the same shape
   * @param weightsOrNull [rows, 1]; null where all are 1
   */
  Tensor of(Tensor outputs, Tensor labels, Tensor weightsOrNull) {
    if (weightsOrNull == null) {
      return reduced(outputs, labels, Reduction.Mean);
    }
    Tensor each = reduced(outputs, labels, Reduction.None);
    Tensor rows =
        loss == Loss.CROSS_ENTROPY
            ? each
            : each.mean(new long[] {1}, false, new ScalarTypeOptional());
    return rows.mul(weightsOrNull.view(-1)).mean();
  }

  private Tensor reduced(Tensor outputs, Tensor labels, Reduction reduction) {
    return switch (loss) {
      case CROSS_ENTROPY ->
          torch.cross_entropy_loss(
              outputs, labels, new TensorOptional(), reduction.value, IGNORE_NONE, 0.0);
      case BINARY_CROSS_ENTROPY ->
          torch.binary_cross_entropy_with_logits(
              outputs, labels, new TensorOptional(), new TensorOptional(), reduction.value);
      case MSE -> torch.mse_loss(outputs, labels, reduction.value);
      case MAE -> torch.l1_loss(outputs, labels, reduction.value);
      case HUBER -> torch.huber_loss(outputs, labels, reduction.value, HUBER_DELTA);
    };
  }

  /**
   * Returns what the network predicts with these outputs: probabilities, or numbers as they are.
   */
  Tensor predictions(Tensor outputs) {
    return switch (target) {
      case CLASSIFICATION -> torch.softmax(outputs, 1);
      case MULTI_LABEL -> torch.sigmoid(outputs);
      case REGRESSION -> outputs;
    };
  }
}
