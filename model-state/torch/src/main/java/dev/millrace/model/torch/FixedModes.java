package dev.millrace.model.torch;

import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bytedeco.pytorch.JitModule;

/**
 * Finds dropout and batch normalization whose mode is a constant. {@code torch.jit.trace} writes
 * such code: it keeps the mode that the module had then, and {@code train()} has no effect.
 */
final class FixedModes {

  private static final Pattern CONSTANT =
      Pattern.compile("(%[\\w.]+) : bool = prim::Constant\\[value=[01]]");

  /** The argument that says whether it trains is the third of dropouts. */
  private static final Pattern DROPOUT =
      Pattern.compile("aten::(\\w*dropout)_?\\([^,)]+, [^,)]+, (%[\\w.]+)\\)");

  /** And the sixth of batch normalizations. */
  private static final Pattern BATCH_NORM =
      Pattern.compile("aten::\\w*(batch_norm)\\w*\\((?:[^,)]+, ){5}(%[\\w.]+)");

  private FixedModes() {}

  /** The first such operation by name, such as {@code dropout}. */
  static Optional<String> find(JitModule module) {
    return find(ForwardCode.of(module));
  }

  private static Optional<String> find(String code) {
    Set<String> constants =
        CONSTANT.matcher(code).results().map(found -> found.group(1)).collect(Collectors.toSet());
    return first(DROPOUT.matcher(code), constants)
        .or(() -> first(BATCH_NORM.matcher(code), constants));
  }

  private static Optional<String> first(Matcher operations, Set<String> constants) {
    return operations
        .results()
        .filter(operation -> constants.contains(operation.group(2)))
        .map((MatchResult operation) -> operation.group(1))
        .findFirst();
  }
}
