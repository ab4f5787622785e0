package dev.millrace.onnx.torch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An expression of TorchScript, evaluated from left to right. Its values are whatever names,
 * attributes and calls give; besides, long, double, boolean, text, null and lists of them.
 *
 * <p>All that isn't understood is an {@link UnsupportedOperationException}.
 */
final class ScriptExpression {

  private static final Pattern TOKEN =
      Pattern.compile("\\s*(-?\\d[\\w.+-]*|\\w+|\"\\w*\"|[()\\[\\],.])");

  private static final String QUOTE = "\"";

  private final List<String> tokens = new ArrayList<>();
  private final Function<String, Object> names;
  private final BiFunction<Object, String, Object> attributes;
  private final BiFunction<Object, List<Object>, Object> calls;
  private int next;

  ScriptExpression(
      String text,
      Function<String, Object> names,
      BiFunction<Object, String, Object> attributes,
      BiFunction<Object, List<Object>, Object> calls) {
    this.names = names;
    this.attributes = attributes;
    this.calls = calls;
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (matcher.lookingAt()) {
      tokens.add(matcher.group(1));
      end = matcher.end();
      matcher.region(end, text.length());
    }
    if (!text.substring(end).isBlank()) {
      throw new UnsupportedOperationException("");
    }
  }

  Object value() {
    Object value = expression();
    if (next < tokens.size()) {
      throw new UnsupportedOperationException("");
    }
    return value;
  }

  private Object expression() {
    Object value = simple(take());
    while (peek(".") || peek("(")) {
      value = take().equals(".") ? attributes.apply(value, take()) : calls.apply(value, list(")"));
    }
    return value;
  }

  private Object simple(String token) {
    return switch (token) {
      case "(" -> {
        Object value = expression();
        require(")");
        yield value;
      }
      case "[" -> list("]");
      case "None" -> null;
      case "True" -> true;
      case "False" -> false;
      case ")", "]", ",", "." -> throw new UnsupportedOperationException("");
      default -> token.startsWith(QUOTE) ? token.replace(QUOTE, "") : number(token);
    };
  }

  private Object number(String token) {
    if (!token.matches("-?\\d.*")) {
      return names.apply(token);
    }
    try {
      return token.matches("-?\\d+")
          ? (Object) Long.valueOf(token)
          : (Object) Double.valueOf(token);
    } catch (NumberFormatException e) {
      throw new UnsupportedOperationException(token, e);
    }
  }

  /** Up to a bracket; there may be a comma before it. */
  private List<Object> list(String end) {
    List<Object> values = new ArrayList<>();
    while (!peek(end)) {
      values.add(expression());
      if (!peek(end)) {
        require(",");
      }
    }
    require(end);
    return values;
  }

  private boolean peek(String token) {
    return next < tokens.size() && tokens.get(next).equals(token);
  }

  private String take() {
    if (next == tokens.size()) {
      throw new UnsupportedOperationException("");
    }
    return tokens.get(next++);
  }

  private void require(String token) {
    if (!take().equals(token)) {
      throw new UnsupportedOperationException("");
    }
  }
}
