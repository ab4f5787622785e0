package dev.millrace.model.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Learning.Precision;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Steps;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.InputGradients;
import dev.millrace.model.testing.Seeds;
import java.util.Random;
import java.util.function.Supplier;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gradients of inputs, of all that modules of PyTorch may do with them. */
final class InputGradientTest {

  private static final ExampleShape NUMBERS = new ExampleShape(6, 3, Target.REGRESSION);
  private static final ExampleShape LABELS = new ExampleShape(6, 3, Target.MULTI_LABEL);

  private final long seed = Seeds.next();
  private final Random random = new Random(seed);

  /** Dropout draws the same at the same step. */
  @ParameterizedTest
  @CsvSource({
    "dense, 5",
    "convolution, 5",
    "dropout, 5",
    "statistics, 5",
    "statistics beside, 1",
    "in place, 5",
    "attention, 5"
  })
  void areThoseOfTheLossAndTheStepIsTheSame(String name, int rows) {
    System.out.printf("%s: seed %d%n", name, seed);
    InitialModel model = model(name, Precision.FLOAT32);
    Minibatch minibatch = TestReplicas.examples(TestReplicas.SHAPE, rows, random.nextLong());
    try (ModelReplica telling = TestReplicas.replica(model);
        ModelReplica silent = TestReplicas.replica(model)) {
      InputGradients.verify(telling, minibatch, InputGradients::crossEntropy, 60, random);
      for (int step = 0; step < 4; step++) {
        float[] predictions = new float[rows * 3];
        InputGradients.fit(telling, minibatch, predictions);
        assertThat(predictions).isEqualTo(TestReplicas.fit(silent, minibatch));
        assertThat(TestReplicas.vector(telling)).isEqualTo(TestReplicas.vector(silent));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mse", "huber", "binary-cross-entropy"})
  void areThoseOfEachLoss(String loss) {
    ExampleShape shape = loss.startsWith("binary") ? LABELS : NUMBERS;
    Training training = training(Loss.named(loss, shape.target()), Precision.FLOAT32);
    InitialModel model = TestReplicas.model(shape, training, TestReplicas::dense);
    Minibatch minibatch = TestReplicas.examples(shape, 4, random.nextLong());
    minibatch.weights()[2] = 3;
    try (ModelReplica replica = TestReplicas.replica(model)) {
      InputGradients.verify(
          replica,
          minibatch,
          (examples, predictions, row) -> of(loss, examples, predictions, row),
          60,
          random);
    }
  }

  private static double of(String loss, Minibatch minibatch, float[] predictions, int row) {
    double sum = 0;
    for (int i = row * 3; i < row * 3 + 3; i++) {
      double label = minibatch.labels()[i];
      double error = Math.abs(predictions[i] - label);
      sum +=
          switch (loss) {
            case "mse" -> error * error;
            case "huber" -> error <= 1 ? error * error / 2 : error - 0.5;
            default -> -Math.log(1 - error);
          };
    }
    return sum / 3;
  }

  /** Numbers of eight bits: a gradient by them is near to the one by floats. */
  @Test
  void ofNetworksInBfloat16AreFloats() {
    Minibatch minibatch = TestReplicas.examples(TestReplicas.SHAPE, 6, 3);
    float[] exact = gradients(Precision.FLOAT32, minibatch);
    float[] rough = gradients(Precision.BFLOAT16, minibatch);
    float greatest = 0;
    for (float value : exact) {
      greatest = Math.max(greatest, Math.abs(value));
    }
    assertThat(rough).isNotEqualTo(exact);
    assertThat(rough).containsExactly(exact, within(greatest / 10));
  }

  private static float[] gradients(Precision precision, Minibatch minibatch) {
    InitialModel model = model("dense", precision);
    try (ModelReplica telling = TestReplicas.replica(model);
        ModelReplica silent = TestReplicas.replica(model)) {
      float[] gradients = InputGradients.fit(telling, minibatch, new float[minibatch.size() * 3]);
      TestReplicas.fit(silent, minibatch);
      assertThat(TestReplicas.vector(telling)).isEqualTo(TestReplicas.vector(silent));
      return gradients;
    }
  }

  /** What it does with its input shows at the first step alone. */
  @Test
  void aNetworkWhoseInputHasNoGradientMakesNoStep() {
    InitialModel model = model("detached", Precision.FLOAT32);
    Minibatch minibatch = TestReplicas.examples(TestReplicas.SHAPE, 4, 1);
    try (ModelReplica replica = TestReplicas.replica(model)) {
      assertThatThrownBy(() -> InputGradients.fit(replica, minibatch, new float[4 * 3]))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("The engine torch can't give gradients of this network's inputs")
          .hasMessageContaining("detach()");
      assertThat(TestReplicas.vector(replica)).isEqualTo(model.vector());
      assertThat(replica.steps()).isEqualTo(Steps.NONE);
    }
  }

  private static InitialModel model(String name, Precision precision) {
    Supplier<JitModule> made =
        switch (name) {
          case "dropout" -> TestReplicas::withDropout;
          case "statistics" -> TestReplicas::withStatistics;
          case "convolution" -> InputGradientTest::ofImages;
          case "statistics beside" -> InputGradientTest::withStatisticsBeside;
          case "attention" -> TestReplicas::withRandomAttention;
          case "in place" -> () -> beginningWith("rows = rows.mul_(0.5)");
          case "detached" -> () -> beginningWith("rows = rows.detach()");
          default -> TestReplicas::dense;
        };
    return TestReplicas.model(TestReplicas.SHAPE, training(Loss.CROSS_ENTROPY, precision), made);
  }

  private static Training training(Loss loss, Precision precision) {
    return new Training(loss, UpdaterKind.ADAM, 0.01, 0.9, 0.01, 0, null, null, precision);
  }

  /** What it gives depends on its input also where normalization takes all differences out. */
  private static JitModule withStatisticsBeside() {
    JitModule module = TestModules.module("Beside");
    module.register_parameter("w", TestModules.weights(3, 6), false);
    module.register_buffer("running_mean", torch.zeros(6));
    module.register_buffer("running_var", torch.ones(6));
    module.define(
        """
        def forward(self, rows):
            seen = torch.batch_norm(rows, None, None, self.running_mean, self.running_var, \
                self.training, 0.1, 1e-5, False)
            return torch.linear(rows + seen, self.w)
        """);
    return module;
  }

  /** Images of 2 x 3 pixels. */
  private static JitModule ofImages() {
    JitModule module = TestModules.module("Images");
    module.register_parameter("kernels", TestModules.weights(16, 1, 2, 2), false);
    module.register_parameter("w", TestModules.weights(3, 32), false);
    module.define(
        """
        def forward(self, rows):
            x = torch.conv2d(rows.view(-1, 1, 2, 3), self.kernels)
            return torch.linear(torch.tanh(x).flatten(1), self.w)
        """);
    return module;
  }

  private static JitModule beginningWith(String line) {
    JitModule module = TestModules.module("Begins");
    module.register_parameter("w", TestModules.weights(3, 6), false);
    module.define(
        "def forward(self, rows):\n  " + line + "\n  return torch.linear(rows, self.w)\n");
    return module;
  }
}
