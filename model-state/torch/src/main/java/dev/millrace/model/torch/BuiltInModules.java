package dev.millrace.model.torch;

import dev.millrace.model.BuiltInChecks;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.util.List;
import org.bytedeco.pytorch.JitModule;

/**
 * The networks that come with Millrace, as they are for other engines: {@code lenet} (LeCun et al.
 * 1998), {@code mlp} (dense rectified layers) and {@code linear} (an output layer alone), all of
 * which give logits. Rectified layers start as He et al. (2015) propose, the others as Glorot and
 * Bengio (2010) do, and biases at zero: the same numbers for the same seed on any machine. {@link
 * RowModules} and {@link TwoTowers} are for rows of embedding tables.
 */
final class BuiltInModules {

  private static final String NAMES = "lenet, mlp, linear, deepfm, wide-deep, dcn, two-tower";

  private static final int KERNEL = 5;
  private static final int FIRST_MAPS = 20;
  private static final int SECOND_MAPS = 50;
  private static final int DENSE = 500;

  private BuiltInModules() {}

  /**
   * @return a module that the caller's {@code PointerScope} has
   * @throws InvalidModelException if there is no such network, or it can't take the examples
   */
  static JitModule make(BuiltIn definition) {
    return switch (definition.name()) {
      case "lenet" -> lenet(definition);
      case "mlp" -> mlp(definition);
      case "linear" -> linear(definition);
      case "deepfm" -> RowModules.deepFm(definition);
      case "wide-deep" -> RowModules.wideAndDeep(definition);
      case "dcn" -> RowModules.deepAndCross(definition);
      case "two-tower" -> TwoTowers.make(definition);
      default ->
          throw new InvalidModelException(
              "There is no built-in network '%s'; there are %s"
                  .formatted(definition.name(), NAMES));
    };
  }

  private static JitModule lenet(BuiltIn definition) {
    BuiltInChecks.refuse(definition, "hidden layer sizes", definition.hidden());
    List<Integer> image = BuiltInChecks.imageOf(definition);
    int height = image.get(0);
    int width = image.get(1);
    int channels = image.get(2);
    int pixels = pooled(pooled(height)) * pooled(pooled(width));
    return new ModuleBuilder("LeNet", definition.seed())
        .convolution("conv1", channels, FIRST_MAPS, KERNEL)
        .convolution("conv2", FIRST_MAPS, SECOND_MAPS, KERNEL)
        .linear("dense", SECOND_MAPS * pixels, DENSE, true)
        .linear("output", DENSE, definition.shape().outputs(), false)
        .forward(
            """
            x = x.view([-1, %s, %s, %s])
            x = torch.max_pool2d(self.conv1.forward(x), [2, 2], [2, 2])
            x = torch.max_pool2d(self.conv2.forward(x), [2, 2], [2, 2])
            x = torch.relu(self.dense.forward(torch.flatten(x, 1)))
            return self.output.forward(x)
            """
                .formatted(channels, height, width));
  }

  /** A side behind a convolution without padding and a pooling by two. */
  private static int pooled(int side) {
    return (side - KERNEL + 1) / 2;
  }

  private static JitModule mlp(BuiltIn definition) {
    BuiltInChecks.refuse(definition, "an image size", definition.image());
    List<Integer> hidden = definition.hidden();
    BuiltInChecks.requireHidden(definition, "take 'linear' for none");
    ModuleBuilder builder = new ModuleBuilder("Mlp", definition.seed());
    StringBuilder forward = new StringBuilder();
    int inputs = definition.shape().features();
    for (int layer = 0; layer < hidden.size(); layer++) {
      builder.linear("dense" + layer, inputs, hidden.get(layer), true);
      forward.append("x = torch.relu(self.dense%s.forward(x))%n".formatted(layer));
      inputs = hidden.get(layer);
    }
    return builder
        .linear("output", inputs, definition.shape().outputs(), false)
        .forward(forward.append("return self.output.forward(x)\n").toString());
  }

  private static JitModule linear(BuiltIn definition) {
    BuiltInChecks.refuse(definition, "hidden layer sizes", definition.hidden());
    BuiltInChecks.refuse(definition, "an image size", definition.image());
    ExampleShape shape = definition.shape();
    return new ModuleBuilder("LinearModel", definition.seed())
        .linear("output", shape.features(), shape.outputs(), false)
        .forward("return self.output.forward(x)\n");
  }
}
