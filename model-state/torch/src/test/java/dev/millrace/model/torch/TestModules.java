package dev.millrace.model.torch;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import java.nio.file.Path;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.BoolType;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.Type;
import org.bytedeco.pytorch.global.torch;

/** TorchScript made by hand, where there is no Python. */
final class TestModules {

  /** Longer than the scope of the test that comes first. */
  private static final CompilationUnit UNIT = new CompilationUnit().retainReference();

  private TestModules() {}

  /** Without a flag for training. */
  static JitModule bare(String name) {
    return new JitModule(new QualifiedName("__torch__." + name), UNIT, true);
  }

  static JitModule module(String name) {
    JitModule module = bare(name);
    module.register_attribute(
        "training", new Type.TypePtr(BoolType.get().get()), new IValue(true), false, false);
    return module;
  }

  /** Numbers around zero, trainable. */
  static Tensor weights(long... shape) {
    return numbers(1, shape).requires_grad_(true);
  }

  static Tensor numbers(long seed, long... shape) {
    Tensor tensor = torch.empty(shape);
    Random random = new Random(seed);
    float[] values = new float[(int) tensor.numel()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    tensor.data_ptr_float().put(values, 0, values.length);
    return tensor;
  }

  /** A dense layer of {@code weight} and {@code bias}, and what forward does. */
  static JitModule dense(int inputs, int outputs, String forward) {
    JitModule module = module("Dense");
    module.register_parameter("weight", weights(outputs, inputs), false);
    module.register_parameter("bias", weights(outputs), false);
    module.define("def forward(self, x):\n" + forward.indent(2));
    return module;
  }

  static JitModule dense(int inputs, int outputs) {
    return dense(inputs, outputs, "return torch.linear(x, self.weight, self.bias)");
  }

  /** What an archive's module makes of rows of features. */
  @SuppressWarnings("try") // The resource is a scope.
  static float[] outputs(Path archive, float[] features, int rows) throws Exception {
    try (PointerScope scope = new PointerScope();
        CheckedArchive checked = CheckedArchive.open(archive)) {
      JitModule module = checked.load();
      module.eval();
      Tensor input = torch.empty(rows, features.length / rows);
      input.data_ptr_float().put(features, 0, features.length);
      Tensor output = module.forward(new IValueVector(new IValue(input))).toTensor();
      float[] values = new float[(int) output.numel()];
      output.contiguous().data_ptr_float().get(values, 0, values.length);
      return values;
    }
  }

  static GlobalModel global(InitialModel model, FeatureStatistics statistics, long iteration) {
    return global(model.spec(), model.vector(), statistics, iteration, ServerOptimizerState.NONE);
  }

  static GlobalModel global(
      ModelSpec spec,
      float[] vector,
      FeatureStatistics statistics,
      long iteration,
      ServerOptimizerState optimizer) {
    return new GlobalModel(
        spec,
        new ModelVersion(0, 3),
        iteration,
        vector,
        statistics,
        new Ledger(),
        Measures.NONE,
        Lineage.NONE,
        optimizer,
        false);
  }
}
