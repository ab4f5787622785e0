package dev.millrace.onnx.torch;

import dev.millrace.model.io.InvalidModelException;
import dev.millrace.onnx.graph.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs straight code of a module on values of a graph in place of tensors: {@code name =
 * expression} and {@code return expression}, where an expression is made of names, numbers, lists,
 * attributes and calls.
 */
final class ScriptRun {

  /**
   * A part of a module.
   *
   * @param path in the module, with a point behind it; empty for the module itself
   */
  record Part(String path, ScriptCode.Type type) {

    /** Returns the part's name for messages. */
    String name() {
      return path.isEmpty()
          ? "the module"
          : "the layer '%s'".formatted(path.substring(0, path.length() - 1));
    }
  }

  /** Something that can be called, or looked into, such as {@code torch.relu}. */
  record Name(Object ownerOrNull, String name) {}

  private static final Pattern ASSIGNMENT = Pattern.compile("^(\\w+) = (.+)$");
  private static final String RETURN = "return ";
  private static final Name GETATTR = new Name(null, "getattr");
  private static final Name TORCH = new Name(null, "torch");

  private final ScriptCode code;
  private final Operators operators;

  ScriptRun(ScriptCode code, Operators operators) {
    this.code = code;
    this.operators = operators;
  }

  /**
   * Returns what the module gives for its input.
   *
   * @throws InvalidModelException if its code isn't straight, or calls what has no node, naming the
   *     layer and the line
   */
  Value forward(Value input) {
    Object output = call(new Part("", code.outermost()), "forward", List.of(input));
    if (output instanceof Value value) {
      return value;
    }
    throw new InvalidModelException("The module gives something else than one tensor");
  }

  private Object call(Part part, String name, List<Object> arguments) {
    ScriptCode.Method method = part.type().methods().get(name);
    if (method == null || method.arguments().size() != arguments.size()) {
      throw refusal(part, name + "(…)");
    }
    Map<String, Object> names = new HashMap<>();
    names.put("self", part);
    for (int i = 0; i < arguments.size(); i++) {
      names.put(method.arguments().get(i), arguments.get(i));
    }
    for (String statement : method.statements()) {
      Matcher assignment = ASSIGNMENT.matcher(statement);
      if (statement.startsWith(RETURN)) {
        return evaluate(part, names, statement.substring(RETURN.length()));
      }
      if (!assignment.matches()) {
        throw refusal(part, statement);
      }
      names.put(assignment.group(1), evaluate(part, names, assignment.group(2)));
    }
    throw refusal(part, name + " without return");
  }

  private Object evaluate(Part part, Map<String, Object> names, String expression) {
    try {
      return new ScriptExpression(
              expression,
              name -> names.containsKey(name) ? names.get(name) : new Name(null, name),
              this::attribute,
              this::called)
          .value();
    } catch (UnsupportedOperationException e) {
      throw refusal(part, e.getMessage().isEmpty() ? expression : e.getMessage());
    }
  }

  /** Returns a part or a tensor of a module, and of a name a longer one. */
  private Object attribute(Object owner, String name) {
    if (!(owner instanceof Part part)) {
      return new Name(owner, name);
    }
    String type = part.type().attributes().get(name);
    if (type == null) {
      return new Name(part, name);
    }
    return code.type(type)
        .<Object>map(of -> new Part(part.path() + name + ".", of))
        .orElseGet(() -> operators.tensor(part.path() + name));
  }

  private Object called(Object called, List<Object> arguments) {
    if (!(called instanceof Name name)) {
      throw new UnsupportedOperationException("");
    }
    if (name.equals(GETATTR) && arguments.size() == 2 && arguments.get(1) instanceof String of) {
      return attribute(arguments.get(0), of);
    }
    if (name.ownerOrNull() instanceof Part part) {
      return call(part, name.name(), arguments);
    }
    if (name.ownerOrNull() instanceof Name library && library.equals(TORCH)) {
      return operators.apply(name.name(), new ArrayList<>(arguments));
    }
    throw new UnsupportedOperationException("");
  }

  private static InvalidModelException refusal(Part part, String what) {
    return new InvalidModelException(
        "The module can't be written as ONNX: what %s does by \"%s\" isn't among what can"
            .formatted(part.name(), what));
  }
}
