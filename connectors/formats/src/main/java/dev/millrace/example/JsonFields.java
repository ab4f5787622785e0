package dev.millrace.example;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.Serializable;
import java.time.DateTimeException;

/** Reads the fields of an example's JSON object, in any order, each at most once. */
final class JsonFields implements Serializable {

  private static final int NONE = 0;
  private static final int FEATURES = 1;
  private static final int LABEL = 2;
  private static final int LABELS = 4;
  private static final int TIMESTAMP = 8;
  private static final int WEIGHT = 16;
  private static final int ID = 32;

  /** The index of a number that is not in an array. */
  static final int ALONE = -1;

  private final ExampleRules rules;
  private final ClassNames classNames;

  /** Null where an example is one array of features. */
  private final JsonRows rows;

  /** Fields that were met, and those of them that aren't null. */
  private int named;

  private int seen;

  JsonFields(ExampleRules rules, ClassNames classNames) {
    this.rules = rules;
    this.classNames = classNames;
    this.rows = rules.shape().isFlat() ? null : new JsonRows(rules, this);
  }

  /** Reads from behind the object's start to its end. */
  void read(JsonParser parser, Example into) throws IOException, InvalidExampleException {
    named = 0;
    seen = 0;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      int field = field(name);
      if (field == NONE) {
        parser.skipChildren();
        continue;
      }
      once(field, name);
      // Many writers have all members of a type in each object: one that is null is absent.
      if (token != JsonToken.VALUE_NULL) {
        seen |= field;
        read(parser, field, name, token, into);
      }
    }
    checkComplete();
    if (rows != null && rules.isLabelled()) {
      rows.checkLabelSteps(into);
    }
  }

  /** Returns which of an example's fields it is; none of a name that nobody knows, or needs. */
  private int field(String name) {
    return switch (name) {
      case "features" -> FEATURES;
      case "label" -> rules.isLabelled() ? LABEL : NONE;
      case "labels" -> rules.isLabelled() ? LABELS : NONE;
      case "timestamp" -> TIMESTAMP;
      case "weight" -> WEIGHT;
      case "id" -> ID;
      default -> NONE;
    };
  }

  private void read(JsonParser parser, int field, String name, JsonToken token, Example into)
      throws IOException, InvalidExampleException {
    switch (field) {
      case FEATURES -> {
        if (rows == null) {
          rules.checkFeatureCount(readNumbers(parser, token, "feature", into.features()));
        } else {
          rows.readFeatures(parser, token, into);
        }
      }
      case TIMESTAMP -> rules.setTimestamp(readTimestamp(parser, token), into);
      case WEIGHT -> rules.setWeight(readNumber(parser, token, "weight", ALONE), into);
      case ID -> into.setId(readId(parser, token));
      default -> readLabels(parser, name, token, into);
    }
  }

  private void once(int field, String name) throws InvalidExampleException {
    if ((named & field) != 0) {
      throw new InvalidExampleException("\"%s\" is there twice".formatted(name));
    }
    named |= field;
  }

  private void checkComplete() throws InvalidExampleException {
    if ((seen & FEATURES) == 0) {
      throw new InvalidExampleException(NamedFields.NO_FEATURES);
    }
    if (rules.isLabelled() && Integer.bitCount(seen & (LABEL | LABELS)) != 1) {
      throw new InvalidExampleException(
          "either \"label\" or \"labels\" expected, %s found"
              .formatted((seen & LABEL) == 0 ? "neither" : "both"));
    }
  }

  private void readLabels(JsonParser parser, String name, JsonToken token, Example into)
      throws IOException, InvalidExampleException {
    if (rows != null && rows.areLabels()) {
      rows.readLabels(parser, name, token, into);
    } else if (name.equals("label")) {
      readLabel(parser, token, into);
    } else {
      rules.checkLabelCount(readNumbers(parser, token, "label", into.labels()));
      rules.checkLabels(into.labels());
    }
  }

  private void readLabel(JsonParser parser, JsonToken token, Example into)
      throws IOException, InvalidExampleException {
    if (rules.isClassification()) {
      into.setClass(readClass(parser, token));
    } else {
      rules.checkLabelCount(1);
      into.labels()[0] = readNumber(parser, token, "label", ALONE);
      rules.checkLabels(into.labels());
    }
  }

  /** A class by its name or number. */
  int readClass(JsonParser parser, JsonToken token) throws IOException, InvalidExampleException {
    if (classNames.areGiven() && token == JsonToken.VALUE_STRING) {
      return named(parser.getText(), Double.NaN);
    }
    if (classNames.areNumeric() && token.isNumeric()) {
      return named(parser.getText(), parser.getDoubleValue());
    }
    if (token.isNumeric()) {
      double number = parser.getDoubleValue();
      if (!rules.isClass(number)) {
        throw rules.noClass(number, parser.getText());
      }
      return (int) number;
    }
    throw notANumber("label", ALONE, token);
  }

  /** The class that a label names by its text, or else by the number that it is. */
  private int named(String text, double number) throws InvalidExampleException {
    int label = classNames.find(text);
    return label == ClassNames.UNKNOWN ? classNames.meant(number, text) : label;
  }

  /** Reads an array and returns how many numbers it has; those that fit are kept. */
  private static long readNumbers(JsonParser parser, JsonToken first, String what, float[] into)
      throws IOException, InvalidExampleException {
    if (first != JsonToken.START_ARRAY) {
      throw new InvalidExampleException(
          "\"%ss\" is %s, an array expected".formatted(what, JsonObjects.describe(first)));
    }
    int found = 0;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      float number = readNumber(parser, token, what, found);
      if (found < into.length) {
        into[found] = number;
      }
      found++;
    }
    return found;
  }

  static float readNumber(JsonParser parser, JsonToken token, String what, int index)
      throws IOException, InvalidExampleException {
    if (token != JsonToken.VALUE_NUMBER_FLOAT && token != JsonToken.VALUE_NUMBER_INT) {
      throw notANumber(what, index, token);
    }
    float number = parser.getFloatValue();
    if (!Float.isFinite(number)) {
      throw new InvalidExampleException(
          "%s is beyond the range of float: %s"
              .formatted(numbered(what, index), Excerpt.of(parser.getText())));
    }
    return number;
  }

  private static long readTimestamp(JsonParser parser, JsonToken token)
      throws IOException, InvalidExampleException {
    if (token == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return parser.getLongValue();
    }
    if (token == JsonToken.VALUE_STRING) {
      try {
        return IsoTime.withOffset(parser.getText());
      } catch (DateTimeException | ArithmeticException e) {
        throw noTimestamp(Excerpt.of(parser.getText()));
      }
    }
    throw noTimestamp(
        token.isNumeric() ? Excerpt.of(parser.getText()) : JsonObjects.describe(token));
  }

  private static InvalidExampleException noTimestamp(String found) {
    return new InvalidExampleException(
        "timestamp is %s, whole milliseconds or ISO-8601 with an offset expected".formatted(found));
  }

  private static String readId(JsonParser parser, JsonToken token)
      throws IOException, InvalidExampleException {
    if (token == JsonToken.VALUE_STRING || token.isNumeric()) {
      return parser.getText();
    }
    throw new InvalidExampleException(
        "id is %s, a string or a number expected".formatted(JsonObjects.describe(token)));
  }

  static InvalidExampleException notANumber(String what, int index, JsonToken token) {
    return new InvalidExampleException(
        "%s is %s, a number expected"
            .formatted(numbered(what, index), JsonObjects.describe(token)));
  }

  private static String numbered(String what, int index) {
    return index == ALONE ? what : what + ' ' + index;
  }
}
