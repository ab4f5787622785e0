package dev.millrace.fields;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.example.InvalidExampleException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A comparison of a field with values, such as {@code status == "fraud"}: what holds is the class
 * 1, what doesn't the class 0.
 *
 * @param path of the field
 * @param words what it is compared with; empty where these are no words
 * @param numbers what it is compared with; empty where these are no numbers
 * @param truthOrNull what it is compared with, if that is true or false
 */
public record LabelRule(
    FieldPath path,
    Comparison comparison,
    List<String> words,
    List<Double> numbers,
    Boolean truthOrNull)
    implements Serializable {

  /** How they are compared. */
  public enum Comparison {
    EQUAL("=="),
    UNEQUAL("!="),
    LESS("<"),
    AT_MOST("<="),
    GREATER(">"),
    AT_LEAST(">="),
    IN("in");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    private boolean ofNumbersAlone() {
      return this == LESS || this == AT_MOST || this == GREATER || this == AT_LEAST;
    }

    private boolean ofOneValue() {
      return this == EQUAL || this == UNEQUAL;
    }
  }

  private static final Pattern FORM =
      Pattern.compile(
          "\\s*((?:\\[\"(?:[^\"\\\\]|\\\\.)*+\"]|\\S)+?)\\s*(==|!=|<=|>=|<|>|\\bin\\b)\\s*(\\S.*?)\\s*");

  /** The words that numbers of a record can be. */
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  public LabelRule {
    words = List.copyOf(words);
    numbers = List.copyOf(numbers);
  }

  /**
   * Reads a rule as people write it.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static LabelRule of(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw noRule(text);
    }
    Comparison comparison = comparison(matcher.group(2));
    FieldPath path = FieldPath.of(matcher.group(1));
    List<String> words = new ArrayList<>();
    List<Double> numbers = new ArrayList<>();
    for (JsonNode value : values(comparison, matcher.group(3), text)) {
      if (value.isNumber()) {
        numbers.add(value.doubleValue());
      } else if (value.isTextual()) {
        words.add(value.asText());
      } else if (value.isBoolean() && comparison.ofOneValue()) {
        return new LabelRule(path, comparison, List.of(), List.of(), value.booleanValue());
      } else {
        throw noRule(text);
      }
    }
    if (words.isEmpty() == numbers.isEmpty()
        || (comparison.ofNumbersAlone() && numbers.isEmpty())) {
      throw noRule(text);
    }
    return new LabelRule(path, comparison, words, numbers, null);
  }

  private static Comparison comparison(String sign) {
    for (Comparison comparison : Comparison.values()) {
      if (comparison.sign.equals(sign)) {
        return comparison;
      }
    }
    throw new IllegalArgumentException(sign);
  }

  private static Iterable<JsonNode> values(Comparison comparison, String json, String text) {
    try {
      JsonNode value = JSON.readTree(json);
      if ((comparison == Comparison.IN) != value.isArray()) {
        throw noRule(text);
      }
      return value.isArray() ? value : List.of(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(noRule(text).getMessage(), e);
    }
  }

  private static IllegalArgumentException noRule(String text) {
    return new IllegalArgumentException(
        ("\"%s\" is no rule; one is a single comparison: a path, one of == != < <= > >= in, and a"
                + " number, a word in quotes, true or false, such as status == \"fraud\", amount >"
                + " 1000, flag == true or status in [\"fraud\", \"stolen\"]")
            .formatted(text));
  }

  /** Whether it compares numbers. */
  public boolean isOfNumbers() {
    return !numbers.isEmpty();
  }

  /** Whether it asks for true or false. */
  public boolean isOfTruth() {
    return truthOrNull != null;
  }

  /**
   * Whether the rule holds.
   *
   * @throws InvalidExampleException if the value can't be compared with the rule's
   */
  boolean holds(FieldValues values, int field, String name) throws InvalidExampleException {
    if (isOfNumbers()) {
      return holds(Value.number(values, field, name));
    }
    boolean found =
        isOfTruth() ? Value.truth(values, field, name) == truthOrNull : isWord(values, field, name);
    return comparison == Comparison.UNEQUAL ? !found : found;
  }

  /** A value of another type than the words is a mistake of one of both, not another word. */
  private boolean isWord(FieldValues values, int field, String name)
      throws InvalidExampleException {
    boolean comparable =
        switch (values.kind(field)) {
          case LONG, DOUBLE -> words.stream().anyMatch(word -> NUMBER.matcher(word).matches());
          case BOOLEAN -> words.contains("true") || words.contains("false");
          default -> true;
        };
    if (!comparable) {
      throw Value.expected("a word", values, field, name);
    }
    return words.contains(Value.text(values, field, name));
  }

  private boolean holds(double value) {
    double first = numbers.get(0);
    return switch (comparison) {
      case EQUAL -> value == first;
      case UNEQUAL -> value != first;
      case LESS -> value < first;
      case AT_MOST -> value <= first;
      case GREATER -> value > first;
      case AT_LEAST -> value >= first;
      case IN -> numbers.contains(value);
    };
  }
}
