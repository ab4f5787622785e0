package dev.millrace.model.torch;

import dev.millrace.model.Learning.Precision;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.OtherOutputsException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Node;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.DeviceType;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Tries a module on a few examples: what its parts hide, a run shows. */
final class ModuleTrial {

  private static final int FEW = 3;

  /** What changes the shape or the type of outputs, and not what they mean. */
  private static final Pattern OF_SHAPE =
      Pattern.compile(
          "(ToCopy|Alias|Clone|(Unsafe)?View|ReshapeAlias|(Uns|S)queeze|Select|Slice|Permute"
              + "|Transpose|T|Expand)Backward\\d*");

  private static final Pattern PROBABILITIES =
      Pattern.compile("(Sigmoid|Softmax|LogSigmoid)Backward\\d*");

  private final JitModule module;
  private final ExampleShape shape;
  private final Precision precision;
  private final String origin;

  private ModuleTrial(JitModule module, ExampleShape shape, Precision precision, String origin) {
    this.module = module;
    this.shape = shape;
    this.precision = precision;
    this.origin = origin;
  }

  /**
   * Predicts for one example and, twice, for three, and makes the gradient of a step: on the CPU,
   * in the precision of the job. The module's values are no others afterwards.
   *
   * @param origin names the module in messages
   * @throws InvalidModelException if it doesn't take or give what the shape says
   */
  @SuppressWarnings("try") // The resource is a scope.
  static void verify(JitModule module, ExampleShape shape, Precision precision, String origin) {
    ModuleTrial trial = new ModuleTrial(module, shape, precision, origin);
    try (NoGradGuard predicting = new NoGradGuard()) {
      module.eval();
      trial.run(module, 1);
      trial.requireRepeatable();
    }
    trial.requireGradient();
    module.eval();
  }

  private Tensor run(JitModule tried, int rows) {
    Tensor tensor;
    try {
      tensor = Precisions.in(precision, DeviceType.CPU, () -> forward(tried, rows));
    } catch (InvalidModelException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new InvalidModelException(
          ("%s fails on %s%s: %s; correct the sizes of its layers or the number of features."
                  + " Features come as rows: images call x.view(-1, channels, height, width) in"
                  + " forward")
              .formatted(origin, examples(rows), inPrecision(), TorchMessage.of(e)),
          e);
    }
    require(
        tensor.scalar_type().intern() == ScalarType.Float,
        "its output is of type %s; return float32".formatted(tensor.dtype().name().getString()));
    long[] sizes = IntStream.range(0, (int) tensor.dim()).mapToLong(tensor::size).toArray();
    if (!Arrays.equals(sizes, new long[] {rows, shape.outputs()})) {
      throw new OtherOutputsException(
          ("%s can't be trained: for %s it gives a tensor of the shape %s, not [%s, %s]; correct"
                  + " its last layer or the number of outputs")
              .formatted(origin, examples(rows), Arrays.toString(sizes), rows, shape.outputs()));
    }
    require(
        tensor.isfinite().all().item_bool(),
        "for %s it gives values that are no finite numbers".formatted(examples(rows)));
    return tensor;
  }

  private Tensor forward(JitModule tried, int rows) {
    IValue output = tried.forward(new IValueVector(new IValue(features(rows))));
    require(
        output.isTensor(),
        "it gives a %s; return one tensor of [examples, outputs] from forward"
            .formatted(output.tagKind().getString()));
    return output.toTensor();
  }

  private String inPrecision() {
    return precision == Precision.FLOAT32 ? "" : " in " + precision.name().toLowerCase(Locale.ROOT);
  }

  private String examples(int rows) {
    return rows == 1
        ? "an example of %s features".formatted(shape.features())
        : "%s examples of %s features".formatted(rows, shape.features());
  }

  /**
   * Checks that the module predicts the same each time, as production needs it, and without a trace
   * in the module.
   */
  private void requireRepeatable() {
    Map<String, Tensor> before = new LinkedHashMap<>();
    ModuleTensors.buffers(module).forEach((name, buffer) -> before.put(name, buffer.clone()));
    require(
        run(module, FEW).equal(run(module, FEW)),
        "it predicts other values for the same examples each time; have dropout and other random"
            + " operations depend on self.training");
    ModuleTensors.buffers(module)
        .forEach(
            (name, buffer) ->
                require(
                    buffer.equal(before.get(name)),
                    "its buffer '%s' changes while it predicts; change it where self.training alone"
                        .formatted(name)));
  }

  private void requireGradient() {
    JitModule copy = module.deepcopy();
    copy.train(true);
    Tensor output = run(copy, FEW);
    require(
        output.requires_grad(),
        "its outputs depend on no parameter; don't detach them, and don't compute under no_grad");
    if (shape.target() != Target.REGRESSION) {
      requireLogits(output);
    }
    try {
      output.sum().backward();
    } catch (RuntimeException e) {
      throw new InvalidModelException(
          "%s has no gradient: %s".formatted(origin, TorchMessage.of(e)), e);
    }
  }

  /** The loss takes softmax or sigmoid by itself; of two, none would learn well. */
  private void requireLogits(Tensor output) {
    Node last = output.grad_fn();
    while (OF_SHAPE.matcher(last.name().getString()).matches()) {
      last = last.next_edge(0).function();
    }
    Matcher probabilities = PROBABILITIES.matcher(last.name().getString());
    if (probabilities.matches()) {
      String operation = probabilities.group(1).toLowerCase(Locale.ROOT);
      require(false, "it ends in a %s; remove it: the loss has it".formatted(operation));
    }
  }

  private Tensor features(int rows) {
    Tensor tensor = torch.empty(rows, shape.features());
    float[] values = TrialExamples.features(shape, rows);
    tensor.data_ptr_float().put(values, 0, values.length);
    return tensor;
  }

  private void require(boolean condition, String reason) {
    if (!condition) {
      throw new InvalidModelException(origin + " can't be trained: " + reason);
    }
  }
}
