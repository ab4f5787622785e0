package dev.millrace.model.torch;

import java.util.Random;
import org.bytedeco.pytorch.BoolType;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.Type;
import org.bytedeco.pytorch.global.torch;

/** Makes a TorchScript module of layers, as Python would script it, with weights by a seed. */
final class ModuleBuilder {

  private final CompilationUnit unit = new CompilationUnit();
  private final Random random;
  private final JitModule module;

  ModuleBuilder(String name, long seed) {
    random = new Random(seed);
    module = module("__torch__.dev.millrace." + name);
  }

  /** Adds a convolution by square kernels, without padding. */
  ModuleBuilder convolution(String name, int channels, int maps, int kernel) {
    int pixels = kernel * kernel;
    double deviation = glorot(channels * pixels, maps * pixels);
    return layer(
        name,
        "conv.Conv2d",
        "torch.conv2d(x, self.weight, self.bias)",
        deviation,
        maps,
        channels,
        kernel,
        kernel);
  }

  /** Adds a dense layer. */
  ModuleBuilder linear(String name, int inputs, int outputs, boolean rectified) {
    double deviation = rectified ? Math.sqrt(2.0 / inputs) : glorot(inputs, outputs);
    return layer(
        name,
        "linear.Linear",
        "torch.linear(x, self.weight, self.bias)",
        deviation,
        outputs,
        inputs);
  }

  /** Ends it with what the module does to {@code x}: lines without indentation. */
  JitModule forward(String body) {
    module.define("def forward(self, x: Tensor) -> Tensor:\n" + body.indent(2));
    module.eval();
    return module;
  }

  /** Returns the weights that a dense layer begins with, unless it is rectified. */
  static float[] weights(int inputs, int outputs, Random random) {
    return normal(glorot(inputs, outputs), inputs * outputs, random);
  }

  private static double glorot(int inputs, int outputs) {
    return Math.sqrt(2.0 / ((double) inputs + outputs));
  }

  private ModuleBuilder layer(
      String name, String type, String expression, double deviation, long... shape) {
    JitModule layer = module("__torch__.torch.nn.modules." + type);
    layer.register_parameter("weight", normal(deviation, shape), false);
    layer.register_parameter("bias", torch.zeros(shape[0]).requires_grad_(true), false);
    layer.define("def forward(self, x: Tensor) -> Tensor:\n  return " + expression + "\n");
    module.register_module(name, layer);
    return this;
  }

  /** Layers of a kind have types of their own, each of another name. */
  private JitModule module(String type) {
    JitModule made = new JitModule(new QualifiedName(type), unit, true);
    made.register_attribute(
        "training", new Type.TypePtr(BoolType.get().get()), new IValue(false), false, false);
    return made;
  }

  private Tensor normal(double deviation, long... shape) {
    Tensor tensor = torch.empty(shape);
    float[] values = normal(deviation, Math.toIntExact(tensor.numel()), random);
    tensor.data_ptr_float().put(values, 0, values.length);
    return tensor.requires_grad_(true);
  }

  private static float[] normal(double deviation, int count, Random random) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) (deviation * random.nextGaussian());
    }
    return values;
  }
}
