package dev.millrace.fields;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.commons.text.similarity.LevenshteinDistance;

/**
 * The keys and values of one described field. Values may be texts, as YAML has them, or JSON's own
 * numbers and booleans. Each message names the field, the key, the value and what it must be.
 */
final class FieldKeys {

  private static final LevenshteinDistance EDITS = LevenshteinDistance.getDefaultInstance();
  private static final int NEAR = 3;

  private final JsonNode node;
  private final String where;
  private final Set<String> known = new TreeSet<>();

  /**
   * @param number of the field, counted from 1
   */
  FieldKeys(JsonNode node, int number) {
    this.node = node;
    if (!node.isObject()) {
      throw new IllegalArgumentException(
          "Field %s is %s; a field has keys and values, such as {path: amount, kind: number}"
              .formatted(number, node));
    }
    JsonNode name = node.hasNonNull("name") ? node.get("name") : node.get("path");
    this.where =
        name == null || !name.isValueNode()
            ? "Field %s".formatted(number)
            : "Field \"%s\"".formatted(name.asText());
  }

  IllegalArgumentException wrong(String key, String expected) {
    return new IllegalArgumentException(
        "%s: %s is '%s'; it must be %s"
            .formatted(
                where,
                key,
                node.path(key).isTextual() ? node.get(key).asText() : node.get(key),
                expected));
  }

  IllegalArgumentException problem(String text) {
    return new IllegalArgumentException("%s: %s".formatted(where, text));
  }

  boolean has(String key) {
    known.add(key);
    return node.has(key);
  }

  /** Empty where the key isn't there. */
  Optional<String> text(String key) {
    if (!has(key)) {
      return Optional.empty();
    }
    JsonNode value = node.get(key);
    if (!value.isValueNode() || value.isNull() || value.asText().isEmpty()) {
      throw wrong(key, "a text");
    }
    return Optional.of(value.asText());
  }

  String required(String key) {
    return text(key).orElseThrow(() -> problem(key + " is missing"));
  }

  /** One of some values by what they are called; the first where the key isn't there. */
  <T> T oneOf(String key, List<T> choices) {
    String text = text(key).orElse(choices.get(0).toString());
    return find(text, choices).orElseThrow(() -> wrong(key, among(choices)));
  }

  private static <T> Optional<T> find(String text, List<T> choices) {
    return choices.stream().filter(choice -> choice.toString().equals(text)).findFirst();
  }

  private static String among(List<?> choices) {
    return choices.stream().map(Object::toString).collect(Collectors.joining(", ", "one of ", ""));
  }

  /** Several of some values, each once and at least one. */
  <T> List<T> someOf(String key, List<T> choices) {
    List<T> found = new ArrayList<>();
    for (String text : texts(key)) {
      found.add(
          find(text, choices).orElseThrow(() -> wrong(key, "a list, each " + among(choices))));
    }
    return found;
  }

  int whole(String key, int least, int most) {
    Function<String, Integer> parse =
        text -> {
          int value = Integer.parseInt(text);
          return value >= least && value <= most ? value : null;
        };
    return parsed(key, required(key), parse, "a whole number from %s to %s".formatted(least, most));
  }

  double number(String key) {
    return parsed(key, required(key), FieldKeys::finite, "a number");
  }

  private static Double finite(String text) {
    double value = Double.parseDouble(text);
    return Double.isFinite(value) ? value : null;
  }

  private <T> T parsed(String key, String text, Function<String, T> parse, String expected) {
    try {
      T value = parse.apply(text);
      if (value != null) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw wrong(key, expected);
  }

  boolean flag(String key) {
    return oneOf(key, List.of("false", "true")).equals("true");
  }

  /** A list of texts, each once and at least one. */
  List<String> texts(String key) {
    has(key);
    List<String> texts = new ArrayList<>();
    if (node.path(key).isArray()) {
      node.get(key).forEach(value -> texts.add(value.isValueNode() ? value.asText() : null));
    }
    if (texts.isEmpty() || texts.contains(null) || new HashSet<>(texts).size() < texts.size()) {
      throw wrong(key, "a list, each value once, such as [a, b]");
    }
    return texts;
  }

  /** A lowest and a highest value, infinite where it is null. */
  double[] bounds(String key) {
    has(key);
    double[] bounds = {Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
    if (!node.has(key)) {
      return bounds;
    }
    JsonNode value = node.get(key);
    String expected = "a lowest and a highest value, such as [0, 100]";
    if (!value.isArray() || value.size() != bounds.length) {
      throw wrong(key, expected);
    }
    for (int i = 0; i < bounds.length; i++) {
      if (!value.get(i).isNull()) {
        bounds[i] = parsed(key, value.get(i).asText(), FieldKeys::finite, expected);
      }
    }
    if (!(bounds[0] < bounds[1])) {
      throw wrong(key, expected);
    }
    return bounds;
  }

  /** Refuses keys that nobody has asked for. */
  void done() {
    node.properties().stream()
        .map(Map.Entry::getKey)
        .forEach(
            key -> {
              if (!known.contains(key)) {
                throw problem("%s is no key here; %s".formatted(key, hint(key)));
              }
            });
  }

  private String hint(String wrong) {
    return known.stream()
        .min(Comparator.comparingInt(key -> EDITS.apply(wrong, key)))
        .filter(key -> EDITS.apply(wrong, key) <= NEAR)
        .map(near -> "did you mean %s?".formatted(near))
        .orElse("there are " + String.join(", ", known));
  }

  static <E extends Enum<E>> List<E> all(Class<E> choices) {
    return Arrays.asList(choices.getEnumConstants());
  }
}
