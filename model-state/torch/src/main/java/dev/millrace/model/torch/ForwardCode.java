package dev.millrace.model.torch;

import java.util.regex.Pattern;
import org.bytedeco.pytorch.Graph;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.MethodOptional;
import org.bytedeco.pytorch.global.torch;

/** The operations of a module's forward, in libtorch's own notation. */
final class ForwardCode {

  private static final Pattern OF_IDS = Pattern.compile("aten::(embedding\\w*|one_hot)\\(");

  private ForwardCode() {}

  /**
   * Returns the code of forward with all that forward calls in its place; empty where the module
   * has no forward.
   */
  static String of(JitModule module) {
    MethodOptional forward = module.find_method("forward");
    if (!forward.has_value()) {
      return "";
    }
    Graph graph = forward.get().graph().copy();
    torch.preoptimizeGraph(graph, true);
    return graph.toString();
  }

  /** Whether it looks anything up by its number. */
  static boolean takesIds(JitModule module) {
    return OF_IDS.matcher(of(module)).find();
  }
}
