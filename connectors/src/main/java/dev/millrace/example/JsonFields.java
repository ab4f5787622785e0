package dev.millrace.example;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.Serializable;
import java.time.DateTimeException;

/** Reads the fields of an example's JSON object, in any order, each at most once. */
final class JsonFields implements Serializable {

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

  private int seen;

  JsonFields(ExampleRules rules, ClassNames classNames) {
    this.rules = rules;
    this.classNames = classNames;
    this.rows = rules.shape().isFlat() ? null : new JsonRows(rules, this);
  }

  /** Reads from behind the object's start to its end. */
  void read(JsonParser parser, Example into) throws IOException, InvalidExampleException {
    seen = 0;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      if (token == JsonToken.VALUE_NULL) {
        // Many writers have all members of a type in each object.
        continue;
      }
      switch (name) {
        case "features" -> {
          once(FEATURES, name);
          if (rows == null) {
            rules.checkFeatureCount(readNumbers(parser, token, "feature", into.features()));
          } else {
            rows.readFeatures(parser, token, into);
          }
        }
        case "label", "labels" -> {
          if (rules.isLabelled()) {
            readLabels(parser, name, token, into);
          } else {
            parser.skipChildren();
          }
        }
        case "timestamp" -> {
          once(TIMESTAMP, name);
          rules.setTimestamp(readTimestamp(parser, token), into);
        }
        case "weight" -> {
          once(WEIGHT, name);
          rules.setWeight(readNumber(parser, token, "weight", ALONE), into);
        }
        case "id" -> {
          once(ID, name);
          into.setId(readId(parser, token));
        }
        default -> parser.skipChildren();
      }
    }
    checkComplete();
    if (rows != null && rules.isLabelled()) {
      rows.checkLabelSteps(into);
    }
  }

  private void once(int field, String name) throws InvalidExampleException {
    if ((seen & field) != 0) {
      throw new InvalidExampleException("\"%s\" is there twice".formatted(name));
    }
    seen |= field;
  }

  private void checkComplete() throws InvalidExampleException {
    if ((seen & FEATURES) == 0) {
      throw new InvalidExampleException("\"features\" expected, not found");
    }
    if (rules.isLabelled() && Integer.bitCount(seen & (LABEL | LABELS)) != 1) {
      throw new InvalidExampleException(
          "either \"label\" or \"labels\" expected, %s found"
              .formatted((seen & LABEL) == 0 ? "neither" : "both"));
    }
  }

  private void readLabels(JsonParser parser, String name, JsonToken token, Example into)
      throws IOException, InvalidExampleException {
    once(name.equals("label") ? LABEL : LABELS, name);
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

  /** How many numbers the array has; those that fit are kept. */
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
