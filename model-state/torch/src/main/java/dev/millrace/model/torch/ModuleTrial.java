package dev.millrace.model.torch;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.InvalidModelException;
import dev.millrace.model.Target;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Tries a module on a few examples: what its parts hide, a run shows. */
final class ModuleTrial {

  private static final int FEW = 3;

  /** Enough that no logits look like probabilities by chance. */
  private static final int MANY = 8;

  private static final double NEAR = 1e-4;

  private final JitModule module;
  private final ExampleShape shape;
  private final String origin;

  private ModuleTrial(JitModule module, ExampleShape shape, String origin) {
    this.module = module;
    this.shape = shape;
    this.origin = origin;
  }

  /**
   * Predicts for one example and for three, and makes the gradient of a step. The module's values
   * are no others afterwards.
   *
   * @param origin names the module in messages
   * @throws InvalidModelException if it doesn't take or give what the shape says
   */
  @SuppressWarnings("try") // The resource is a scope.
  static void verify(JitModule module, ExampleShape shape, String origin) {
    ModuleTrial trial = new ModuleTrial(module, shape, origin);
    try (NoGradGuard predicting = new NoGradGuard()) {
      module.eval();
      trial.run(module, 1);
      trial.run(module, FEW);
      if (shape.target() == Target.CLASSIFICATION) {
        trial.requireLogits();
      }
    }
    trial.requireGradient();
    module.eval();
  }

  private Tensor run(JitModule tried, int rows) {
    IValue output;
    try {
      output = tried.forward(new IValueVector(new IValue(features(rows))));
    } catch (RuntimeException e) {
      throw new InvalidModelException(
          ("%s fails on %s: %s; correct the sizes of its layers or the number of features. Features"
                  + " come as rows: images call x.view(-1, channels, height, width) in forward")
              .formatted(origin, examples(rows), TorchMessage.of(e)),
          e);
    }
    require(
        output.isTensor(),
        "it gives a %s; return one tensor of [examples, outputs] from forward"
            .formatted(output.tagKind().getString()));
    Tensor tensor = output.toTensor();
    require(
        tensor.scalar_type().intern() == ScalarType.Float,
        "its output is of type %s; return float32".formatted(tensor.dtype().name().getString()));
    long[] sizes = IntStream.range(0, (int) tensor.dim()).mapToLong(tensor::size).toArray();
    require(
        sizes.length == 2 && sizes[0] == rows && sizes[1] == shape.outputs(),
        ("for %s it gives a tensor of the shape %s, not [%d, %d]; correct its last layer or the"
                + " number of outputs")
            .formatted(examples(rows), Arrays.toString(sizes), rows, shape.outputs()));
    require(
        tensor.isfinite().all().item_bool(),
        "for %s it gives values that are no finite numbers".formatted(examples(rows)));
    return tensor;
  }

  private String examples(int rows) {
    return rows == 1
        ? "an example of %d features".formatted(shape.features())
        : "%d examples of %d features".formatted(rows, shape.features());
  }

  /** The loss takes the logarithm of a softmax by itself; of two, none would learn well. */
  private void requireLogits() {
    float[] values = new float[MANY * shape.outputs()];
    run(module, MANY).contiguous().data_ptr_float().get(values, 0, values.length);
    boolean probabilities = true;
    for (int row = 0; row < MANY && probabilities; row++) {
      double sum = 0;
      for (int i = 0; i < shape.outputs(); i++) {
        float value = values[row * shape.outputs() + i];
        probabilities &= value >= 0;
        sum += value;
      }
      probabilities &= Math.abs(sum - 1) < NEAR;
    }
    require(
        !probabilities,
        "its outputs are probabilities, which sum to 1; remove the softmax: the loss has it");
  }

  private void requireGradient() {
    JitModule copy = module.deepcopy();
    copy.train(true);
    Tensor output = run(copy, FEW);
    require(
        output.requires_grad(),
        "its outputs depend on no parameter; don't detach them, and don't compute under no_grad");
    try {
      output.sum().backward();
    } catch (RuntimeException e) {
      throw new InvalidModelException(
          "%s has no gradient: %s".formatted(origin, TorchMessage.of(e)), e);
    }
  }

  /** Numbers between -1 and 1, the same each time. */
  private Tensor features(int rows) {
    float[] values = new float[rows * shape.features()];
    Random random = new Random(rows);
    for (int i = 0; i < values.length; i++) {
      values[i] = 2 * random.nextFloat() - 1;
    }
    Tensor tensor = torch.empty(rows, shape.features());
    tensor.data_ptr_float().put(values, 0, values.length);
    return tensor;
  }

  private void require(boolean condition, String reason) {
    if (!condition) {
      throw new InvalidModelException(origin + " can't be trained: " + reason);
    }
  }
}
