package dev.millrace.example;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Reads features and labels that are more than one array: of sequences an array with a row for each
 * step, of networks with several inputs and outputs an object with an array for each.
 */
final class JsonRows implements Serializable {

  private final ExampleRules rules;
  private final JsonFields fields;
  private final ExampleShape shape;
  private final ExampleStructure structure;
  private final String[] inputs;
  private final IndexRange[] inputRanges;
  private final String[] outputs;
  private final IndexRange[] outputRanges;
  private int labelSteps;

  JsonRows(ExampleRules rules, JsonFields fields) {
    this.rules = rules;
    this.fields = fields;
    this.shape = rules.shape();
    this.structure = shape.structure();
    this.inputs =
        structure.inputs().stream().map(ExampleStructure.Input::name).toArray(String[]::new);
    this.inputRanges =
        structure.inputs().stream()
            .map(ExampleStructure.Input::features)
            .toArray(IndexRange[]::new);
    this.outputs =
        structure.outputs().stream().map(ExampleStructure.Output::name).toArray(String[]::new);
    this.outputRanges =
        structure.outputs().stream()
            .map(ExampleStructure.Output::labels)
            .toArray(IndexRange[]::new);
  }

  /** Whether labels are more than one array, too. */
  boolean areLabels() {
    return structure.labelPerStep() || outputs.length > 0;
  }

  void readFeatures(JsonParser parser, JsonToken first, Example into)
      throws IOException, InvalidExampleException {
    if (!structure.isSequence()) {
      readFeatureRow(parser, first, into.features(), 0);
      return;
    }
    requireArray("\"features\"", first);
    int steps = 0;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      if (steps < shape.rows()) {
        readFeatureRow(parser, token, into.features(), steps * shape.width());
      } else {
        parser.skipChildren();
      }
      steps++;
    }
    rules.checkSteps(steps);
    into.setSteps(steps);
    Arrays.fill(into.features(), steps * shape.width(), shape.features(), 0f);
  }

  void readLabels(JsonParser parser, String name, JsonToken first, Example into)
      throws IOException, InvalidExampleException {
    if (!structure.labelPerStep()) {
      readLabelRow(parser, name, first, into.labels(), 0);
      return;
    }
    requireArray('"' + name + '"', first);
    labelSteps = 0;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      if (labelSteps < shape.rows()) {
        readLabelRow(parser, name, token, into.labels(), labelSteps * shape.outputs());
      } else {
        parser.skipChildren();
      }
      labelSteps++;
    }
    int end = Math.min(shape.labels(), labelSteps * shape.outputs());
    Arrays.fill(into.labels(), end, shape.labels(), 0f);
  }

  /** Features and labels may come in any order. */
  void checkLabelSteps(Example example) throws InvalidExampleException {
    if (structure.labelPerStep() && labelSteps != example.steps()) {
      throw new InvalidExampleException(
          "labels of %s steps expected, of %s found".formatted(example.steps(), labelSteps));
    }
  }

  private void readFeatureRow(JsonParser parser, JsonToken token, float[] features, int at)
      throws IOException, InvalidExampleException {
    if (token == JsonToken.START_OBJECT && inputs.length > 0) {
      readParts(parser, "feature", inputs, inputRanges, features, at);
    } else {
      readArray(parser, token, "feature", features, at, shape.width());
    }
  }

  private void readLabelRow(JsonParser parser, String name, JsonToken token, float[] labels, int at)
      throws IOException, InvalidExampleException {
    if (name.equals("labels")) {
      if (token == JsonToken.START_OBJECT && outputs.length > 0) {
        readParts(parser, "label", outputs, outputRanges, labels, at);
      } else {
        readArray(parser, token, "label", labels, at, shape.outputs());
      }
    } else if (rules.isClassification()) {
      rules.setClass(fields.readClass(parser, token), labels, at);
    } else {
      rules.checkLabelCount(1);
      labels[at] = JsonFields.readNumber(parser, token, "label", JsonFields.ALONE);
    }
    rules.checkLabelRow(labels, at);
  }

  /** An object with an array for each input or output. */
  private void readParts(
      JsonParser parser, String what, String[] names, IndexRange[] ranges, float[] into, int at)
      throws IOException, InvalidExampleException {
    long seen = 0;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      int part = indexOf(what, names, name);
      if ((seen & 1L << part) != 0) {
        throw new InvalidExampleException("\"%ss\" has \"%s\" twice".formatted(what, names[part]));
      }
      seen |= 1L << part;
      int from = at + ranges[part].from();
      int length = ranges[part].length();
      if (token == JsonToken.START_ARRAY) {
        readArray(parser, token, what, into, from, length);
      } else if (what.equals("label")
          && structure.outputs().get(part).target() == Target.CLASSIFICATION) {
        readClassOf(parser, token, into, from, length);
      } else {
        requireCount(what, length, 1);
        into[from] = JsonFields.readNumber(parser, token, what, JsonFields.ALONE);
      }
    }
    for (int part = 0; part < names.length; part++) {
      if ((seen & 1L << part) == 0) {
        throw new InvalidExampleException("\"%ss\" has no \"%s\"".formatted(what, names[part]));
      }
    }
  }

  private static int indexOf(String what, String[] names, String name)
      throws InvalidExampleException {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    throw new InvalidExampleException(
        "\"%ss\" has %s, expected are %s"
            .formatted(what, Excerpt.of(name), String.join(", ", names)));
  }

  private static void readClassOf(
      JsonParser parser, JsonToken token, float[] labels, int from, int length)
      throws IOException, InvalidExampleException {
    if (!token.isNumeric()) {
      throw JsonFields.notANumber("label", JsonFields.ALONE, token);
    }
    double number = parser.getDoubleValue();
    if (Math.rint(number) != number || number < 0 || number >= length) {
      throw new InvalidExampleException(
          "label %s is no class of 0 to %s"
              .formatted(Excerpt.unquoted(parser.getText()), length - 1));
    }
    Arrays.fill(labels, from, from + length, 0f);
    labels[from + (int) number] = 1;
  }

  private void readArray(
      JsonParser parser, JsonToken first, String what, float[] into, int from, int length)
      throws IOException, InvalidExampleException {
    requireArray(
        structure.isSequence() ? "a step of \"" + what + "s\"" : '"' + what + "s\"", first);
    int found = 0;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      float number = JsonFields.readNumber(parser, token, what, found);
      if (found < length) {
        into[from + found] = number;
      }
      found++;
    }
    requireCount(what, length, found);
  }

  private static void requireCount(String what, int expected, int found)
      throws InvalidExampleException {
    if (found != expected) {
      throw new InvalidExampleException(
          "%s %ss expected, %s found".formatted(expected, what, found));
    }
  }

  private static void requireArray(String what, JsonToken token) throws InvalidExampleException {
    if (token != JsonToken.START_ARRAY) {
      throw new InvalidExampleException(
          "%s is %s, an array expected".formatted(what, JsonObjects.describe(token)));
    }
  }
}
