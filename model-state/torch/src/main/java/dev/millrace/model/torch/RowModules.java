package dev.millrace.model.torch;

import dev.millrace.model.BuiltInChecks;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.RowFeatures;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.JitModule;

/**
 * The networks that come with Millrace for rows of embedding tables, as they are for other engines:
 * {@code deepfm} (Guo et al. 2017), {@code wide-deep} (Cheng et al. 2016) and {@code dcn} (Wang et
 * al. 2021, with full matrices, in parallel). Each has rectified layers over all features, {@code
 * deep0} and so on, and beside them its own part; a linear layer, {@code output}, takes both.
 */
final class RowModules {

  private static final String OUTPUT = "output";
  private static final int CROSS_LAYERS = 2;

  private RowModules() {}

  static JitModule deepFm(BuiltIn definition) {
    return wide("DeepFm", definition, true);
  }

  static JitModule wideAndDeep(BuiltIn definition) {
    return wide("WideAndDeep", definition, false);
  }

  /**
   * A linear layer over the features of no row, the sum of the rows' first values and, by choice,
   * the interactions of their other values.
   */
  private static JitModule wide(String name, BuiltIn definition, boolean interactions) {
    BuiltInChecks.requireRows(definition, interactions ? 2 : 1);
    int features = definition.shape().features();
    List<IndexRange> rows = RowFeatures.rows(definition.shape());
    List<IndexRange> others = RowFeatures.others(rows, features);
    ModuleBuilder builder = new ModuleBuilder(name, definition.seed());
    StringBuilder forward = new StringBuilder();
    int inputs = deep(builder, definition, forward);
    List<String> parts = new ArrayList<>(List.of("d"));
    for (IndexRange range : others) {
      parts.add("torch.narrow(x, 1, %s, %s)".formatted(range.from(), range.length()));
      inputs += range.length();
    }
    forward.append(RowSums.code(rows, interactions));
    parts.add("first");
    inputs++;
    if (interactions) {
      parts.add("pairs");
      inputs++;
    }
    return end(builder, definition, forward, parts, inputs);
  }

  static JitModule deepAndCross(BuiltIn definition) {
    BuiltInChecks.requireRows(definition, 1);
    int features = definition.shape().features();
    ModuleBuilder builder = new ModuleBuilder("DeepAndCross", definition.seed());
    StringBuilder forward = new StringBuilder();
    int inputs = deep(builder, definition, forward);
    forward.append("c = x\n");
    for (int layer = 0; layer < CROSS_LAYERS; layer++) {
      builder.linear("cross" + layer, features, features, false);
      forward.append("c = torch.add(torch.mul(x, self.cross%s.forward(c)), c)\n".formatted(layer));
    }
    return end(builder, definition, forward, List.of("d", "c"), inputs + features);
  }

  /** Returns how many values the last rectified layer gives, as {@code d}. */
  private static int deep(ModuleBuilder builder, BuiltIn definition, StringBuilder forward) {
    BuiltInChecks.refuse(definition, "an image size", definition.image());
    BuiltInChecks.requireHidden(definition, "take 'linear' for none");
    int inputs = definition.shape().features();
    forward.append("d = x\n");
    for (int layer = 0; layer < definition.hidden().size(); layer++) {
      int size = definition.hidden().get(layer);
      builder.linear("deep" + layer, inputs, size, true);
      forward.append("d = torch.relu(self.deep%s.forward(d))\n".formatted(layer));
      inputs = size;
    }
    return inputs;
  }

  private static JitModule end(
      ModuleBuilder builder,
      BuiltIn definition,
      StringBuilder forward,
      List<String> parts,
      int inputs) {
    forward.append(
        "return self.output.forward(torch.cat([%s], 1))\n".formatted(String.join(", ", parts)));
    return builder
        .linear(OUTPUT, inputs, definition.shape().outputs(), false)
        .forward(forward.toString());
  }
}
