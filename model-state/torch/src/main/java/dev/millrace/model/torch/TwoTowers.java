package dev.millrace.model.torch;

import dev.millrace.model.BuiltInChecks;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.IndexRange;
import java.util.List;
import org.bytedeco.pytorch.JitModule;

/**
 * The built-in network {@code two-tower}, as it is for other engines: each of two inputs, such as a
 * user's and an item's, goes through dense layers of its own, all rectified but the last. A linear
 * layer takes the dot product of both, which is the score.
 */
final class TwoTowers {

  static final String NAME = "two-tower";

  private TwoTowers() {}

  static JitModule make(BuiltIn definition) {
    BuiltInChecks.refuse(definition, "an image size", definition.image());
    BuiltInChecks.requireHidden(definition, "take 'linear' for none");
    BuiltInChecks.requireRows(definition, 1);
    BuiltInChecks.requireTowers(definition);
    List<Input> inputs = definition.shape().structure().inputs();
    ModuleBuilder builder = new ModuleBuilder("TwoTowers", definition.seed());
    StringBuilder forward = new StringBuilder();
    tower(builder, forward, "first", inputs.get(0).features(), definition.hidden());
    tower(builder, forward, "second", inputs.get(1).features(), definition.hidden());
    forward.append("score = torch.sum(torch.mul(first, second), [1], True)\n");
    return builder
        .linear("output", 1, definition.shape().outputs(), false)
        .forward(forward.append("return self.output.forward(score)\n").toString());
  }

  private static void tower(
      ModuleBuilder builder,
      StringBuilder forward,
      String name,
      IndexRange features,
      List<Integer> hidden) {
    forward.append(
        "%s = torch.narrow(x, 1, %s, %s)\n".formatted(name, features.from(), features.length()));
    int inputs = features.length();
    for (int layer = 0; layer < hidden.size(); layer++) {
      boolean rectified = layer < hidden.size() - 1;
      builder.linear(name + layer, inputs, hidden.get(layer), rectified);
      String weighed = "self.%s%s.forward(%s)".formatted(name, layer, name);
      forward.append(
          "%s = %s\n".formatted(name, rectified ? "torch.relu(%s)".formatted(weighed) : weighed));
      inputs = hidden.get(layer);
    }
  }
}
