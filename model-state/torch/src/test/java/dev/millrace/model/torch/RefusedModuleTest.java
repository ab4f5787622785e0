package dev.millrace.model.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.Learning;
import dev.millrace.model.Learning.Precision;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelDefinition.Configuration;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modules that can't be trained, each with the cause. */
final class RefusedModuleTest {

  private static final ExampleShape SHAPE = new ExampleShape(4, 3, Target.CLASSIFICATION);

  @TempDir private Path directory;

  private PointerScope scope;

  @BeforeEach
  void openScope() {
    scope = new PointerScope();
  }

  @AfterEach
  void closeScope() {
    scope.close();
  }

  @Test
  void aWholeModuleIsTaken() {
    assertThat(InitialModels.of(new Archive(saved(TestModules.dense(4, 3)), SHAPE)).vector())
        .hasSize(3 * 15);
  }

  @Test
  void sequencesAndSeveralArraysAreForAnotherEngine() {
    assertThatThrownBy(() -> define(new ExampleStructure(2, false, List.of(), List.of())))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("sequences", "2 steps", "dl4j");
    List<Input> inputs =
        List.of(new Input("a", new IndexRange(0, 1)), new Input("b", new IndexRange(1, 4)));
    assertThatThrownBy(() -> define(new ExampleStructure(0, false, inputs, List.of())))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("[a, b]", "one input", "dl4j");
  }

  private void define(ExampleStructure structure) {
    ExampleShape shape =
        new ExampleShape(4, 3, Target.CLASSIFICATION, FeatureColumns.PLAIN, structure);
    InitialModels.of(new Archive(saved(TestModules.dense(4, 3)), shape));
  }

  @Test
  void oneWithoutParameters() {
    JitModule module = TestModules.module("Empty");
    module.define("def forward(self, x):\n  return x[:, 0:3]\n");

    assertRefused(module, "no parameters, so there is nothing to train");
  }

  @Test
  void oneWhoseParametersAreFrozen() {
    JitModule module = TestModules.dense(4, 3);
    module.attr("weight").toTensor().requires_grad_(false);
    module.attr("bias").toTensor().requires_grad_(false);

    assertRefused(module, "all its parameters are frozen");
  }

  @Test
  void parametersOfOtherTypesThanFloat() {
    JitModule doubles = TestModules.dense(4, 3);
    doubles.register_parameter(
        "rate", torch.ones(2).to(ScalarType.Double).requires_grad_(true), false);
    assertRefused(doubles, "'rate' is of type double");

    JitModule integers = TestModules.dense(4, 3);
    integers.register_parameter("count", torch.ones(2).to(ScalarType.Long), false);
    assertRefused(integers, "'count' is of type");

    JitModule buffers = TestModules.dense(4, 3);
    buffers.register_buffer("scale", torch.ones(2).to(ScalarType.Double));
    assertRefused(buffers, "its buffer 'scale' is of type double");
  }

  @Test
  void parametersThatAreTied() {
    JitModule module = TestModules.module("Tied");
    Tensor shared = TestModules.weights(4, 4);
    module.register_parameter("encode", shared, false);
    module.register_parameter("decode", shared, false);
    module.define(
        """
        def forward(self, x):
          return torch.linear(torch.linear(x, self.encode), self.decode)
        """);

    assertRefused(
        module, "'encode' and 'decode' are tied", "register the tensor once and use it twice");
  }

  @Test
  void valuesThatAreNoNumbers() {
    JitModule module = TestModules.dense(4, 3);
    module.attr("bias").toTensor().data_ptr_float().put(1, Float.NaN);

    assertRefused(module, "'bias' has values that are no finite numbers");
  }

  @Test
  void examplesOfAnotherSize() {
    assertRefused(
        TestModules.dense(5, 3), "an example of 4 features", "x.view(-1, channels, height, width)");
    assertRefused(
        TestModules.dense(4, 2), "a tensor of the shape [1, 2], not [1, 3]", "number of outputs");
    assertRefused(
        TestModules.dense(4, 3, "return torch.linear(x, self.weight, self.bias)[0]"),
        "a tensor of the shape [3], not [1, 3]");
  }

  /** As of a network that was traced with one example. */
  @Test
  void oneThatTakesOneExampleAlone() {
    assertRefused(
        TestModules.dense(4, 3, "return torch.linear(x.view([1, 4]), self.weight, self.bias)"),
        "3 examples of 4 features");
  }

  @Test
  void outputsThatAreNoTensorOfFloats() {
    assertRefused(
        TestModules.dense(4, 3, "return (torch.linear(x, self.weight, self.bias), x)"),
        "it gives a Tuple");
    assertRefused(
        TestModules.dense(4, 3, "return torch.linear(x, self.weight, self.bias).double()"),
        "its output is of type double");
    assertRefused(
        TestModules.dense(4, 3, "return torch.linear(x, self.weight, self.bias) / 0.0"),
        "values that are no finite numbers");
  }

  @Test
  void aSoftmaxOrSigmoidBeforeTheLoss() {
    JitModule softmax = ending("torch.softmax(%s, 1)");
    JitModule sigmoid = ending("torch.sigmoid(%s).view([-1, 3])");

    assertRefused(softmax, "it ends in a softmax; remove it: the loss has it");
    assertRefused(sigmoid, "it ends in a sigmoid; remove it");
    Path archive = saved(sigmoid);
    ExampleShape labels = new ExampleShape(4, 3, Target.MULTI_LABEL);
    assertThatThrownBy(() -> InitialModels.of(new Archive(archive, labels)))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("it ends in a sigmoid");
    InitialModels.of(new Archive(archive, new ExampleShape(4, 3, Target.REGRESSION)));
  }

  /** To take the logarithm of a softmax twice changes nothing. */
  @Test
  void aLogarithmOfASoftmaxIsTaken() {
    InitialModels.of(new Archive(saved(ending("torch.log_softmax(%s, 1)")), SHAPE));
  }

  private static JitModule ending(String operation) {
    return TestModules.dense(
        4, 3, "return " + operation.formatted("torch.linear(x, self.weight, self.bias)"));
  }

  /** As torch.jit.trace writes them. */
  @Test
  void modesThatAreConstants() {
    assertRefused(
        TestModules.dense(
            4, 3, "return torch.linear(torch.dropout(x, 0.5, False), self.weight, self.bias)"),
        "the mode of its dropout is a constant",
        "torch.jit.script");
    JitModule norm = TestModules.module("Traced");
    norm.register_parameter("weight", TestModules.weights(3, 4), false);
    norm.register_buffer("running_mean", torch.zeros(4));
    norm.register_buffer("running_var", torch.ones(4));
    norm.define(
        """
        def forward(self, x):
          y = torch.batch_norm(x, None, None, self.running_mean, self.running_var, False, 0.1, 1e-5, True)
          return torch.linear(y, self.weight)
        """);
    assertRefused(norm, "the mode of its batch_norm is a constant");
  }

  @Test
  void predictionsThatDiffer() {
    assertRefused(
        ending("torch.add(%s, torch.rand([3]))"), "other values for the same examples each time");
    JitModule counting = TestModules.module("Counting");
    counting.register_parameter("weight", TestModules.weights(3, 4), false);
    counting.register_buffer("seen", torch.zeros(1));
    counting.define(
        "def forward(self, x):\n  self.seen.add_(1.0)\n  return torch.linear(x, self.weight)\n");
    assertRefused(counting, "its buffer 'seen' changes while it predicts");
  }

  @Test
  void aPrecisionThatItCantComputeIn() {
    JitModule module = TestReplicas.ofFloatsAlone();
    ExampleShape shape = TestReplicas.SHAPE;
    Path archive = saved(module);
    InitialModels.of(new Archive(archive, shape));
    assertThatThrownBy(
            () -> InitialModels.of(new Archive(archive, shape, precision(Precision.BFLOAT16))))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("fails on an example of 6 features in bfloat16");
  }

  /** Features of its examples are above 0, so those of the trial are. */
  @Test
  void logarithmsOfFeaturesAreTaken() {
    InitialModels.of(
        new Archive(
            saved(
                TestModules.dense(
                    4, 3, "return torch.linear(torch.log(x), self.weight, self.bias)")),
            SHAPE));
  }

  @Test
  void outputsWithoutAGradient() {
    assertRefused(
        TestModules.dense(4, 3, "return torch.linear(x, self.weight, self.bias).detach()"),
        "its outputs depend on no parameter");
  }

  @Test
  void partsThatCantBeToldToTrain() {
    JitModule part = TestModules.bare("Part");
    part.define("def forward(self, x):\n  return x\n");
    JitModule module = TestModules.module("Whole");
    module.register_parameter("weight", TestModules.weights(3, 4), false);
    module.register_module("part", part);
    module.define(
        "def forward(self, x):\n  return torch.linear(self.part.forward(x), self.weight)\n");

    assertRefused(module, "'part' doesn't say whether it trains");
  }

  @Test
  void statisticsWithoutAMomentum() {
    JitModule norm = TestModules.module("BatchNorm1d");
    norm.register_buffer("running_mean", torch.zeros(4));
    norm.register_buffer("running_var", torch.ones(4));
    norm.register_buffer("num_batches_tracked", torch.zeros(1).to(ScalarType.Long));
    norm.type().addConstant("momentum", new IValue());
    norm.define("def forward(self, x):\n  return x\n");
    JitModule module = TestModules.module("Whole");
    module.register_parameter("weight", TestModules.weights(3, 4), false);
    module.register_module("norm", norm);
    module.define(
        "def forward(self, x):\n  return torch.linear(self.norm.forward(x), self.weight)\n");

    assertRefused(module, "'norm' has no momentum");
  }

  @Test
  void whatUsersSayOfLearning() {
    Path whole = saved(TestModules.dense(4, 3));
    assertLearningRefused(whole, learning("mse", "adam", 0.1), "mse doesn't go with the target");
    assertLearningRefused(whole, learning("hinge", "adam", 0.1), "There is no loss 'hinge'");
    assertLearningRefused(
        whole, learning("cross-entropy", "lion", 0.1), "There is no updater 'lion'");
    assertLearningRefused(whole, learning("cross-entropy", "adam", 0), "The learning rate is 0.0");
  }

  @Test
  void aConfigurationFile() {
    assertThatThrownBy(
            () -> InitialModels.of(new Configuration(directory.resolve("net.json"), SHAPE)))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("net.json")
        .hasMessageContaining("torch.jit.script");
  }

  private static Learning learning(String loss, String updater, double rate) {
    return new Learning(
        Optional.of(loss),
        Optional.of(updater),
        Optional.of(rate),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static Learning precision(Precision precision) {
    return new Learning(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(precision));
  }

  private void assertLearningRefused(Path archive, Learning learning, String cause) {
    assertThatThrownBy(() -> InitialModels.of(new Archive(archive, SHAPE, learning)))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining(cause);
  }

  private void assertRefused(JitModule module, String... causes) {
    Path archive = saved(module);
    assertThatThrownBy(() -> InitialModels.of(new Archive(archive, SHAPE)))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining(archive.toString())
        .satisfies(refused -> assertThat(refused.getMessage()).contains(causes));
  }

  private Path saved(JitModule module) {
    Path file = directory.resolve("module.pt");
    module.save(file.toString());
    return file;
  }
}
