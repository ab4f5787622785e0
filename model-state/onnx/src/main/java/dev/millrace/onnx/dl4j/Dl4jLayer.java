package dev.millrace.onnx.dl4j;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.Arrays;
import java.util.List;

/**
 * A layer, vertex or preprocessor of DL4J's, as its configuration has it.
 *
 * @param name in the network
 * @param json of the layer alone
 * @param parameters its own, in DL4J's order; none where it has none
 */
record Dl4jLayer(String name, JsonNode json, float[] parameters) {

  private static final String CLASS = "@class";

  /** DL4J's name for its kind, without the package. */
  String type() {
    return typeOf(json);
  }

  static String typeOf(JsonNode json) {
    String name = json.path(CLASS).asText();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  int integer(String key) {
    require(json.path(key).canConvertToInt(), "it has no " + key);
    return json.get(key).asInt();
  }

  double number(String key) {
    require(json.path(key).isNumber(), "it has no " + key);
    return json.get(key).asDouble();
  }

  boolean flag(String key) {
    return json.path(key).asBoolean();
  }

  String text(String key) {
    return json.path(key).asText();
  }

  /** Two whole numbers, of the height and of the width. */
  long[] pair(String key) {
    JsonNode both = json.path(key);
    require(both.isArray() && both.size() == 2, "its %s is %s".formatted(key, both));
    return new long[] {both.get(0).asLong(), both.get(1).asLong()};
  }

  /** The layer within a wrapper, with parameters of its own or all of them. */
  Dl4jLayer inner(String key) {
    return new Dl4jLayer(name, json.path(key), parameters);
  }

  /** Some of its parameters, as many as a matrix of these sizes has. */
  float[] parameters(int from, int... sizes) {
    long length = 1;
    for (int size : sizes) {
      length *= size;
    }
    require(
        from + length <= parameters.length,
        "it has %s parameters, and its configuration asks for at least %s"
            .formatted(parameters.length, from + length));
    return Arrays.copyOfRange(parameters, from, from + (int) length);
  }

  /** A matrix that DL4J keeps column by column, row by row. */
  float[] matrix(int from, int rows, int columns) {
    float[] byColumn = parameters(from, rows, columns);
    float[] byRow = new float[byColumn.length];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        byRow[row * columns + column] = byColumn[column * rows + row];
      }
    }
    return byRow;
  }

  void require(boolean condition, String reason) {
    if (!condition) {
      throw refusal(reason);
    }
  }

  /** Checks that what comes in is arranged as the layer takes it. */
  void requireForm(Value input, TensorLayout... forms) {
    require(
        List.of(forms).contains(input.form()),
        "it takes %s here, which is written of %s alone"
            .formatted(input.form(), Arrays.toString(forms)));
  }

  InvalidModelException refusal(String reason) {
    return new InvalidModelException(
        "The layer '%s' (%s) can't be written as ONNX: %s".formatted(name, type(), reason));
  }
}
