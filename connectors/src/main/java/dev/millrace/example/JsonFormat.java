package dev.millrace.example;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * One JSON object: {@code {"features":[…],"label":3}} or {@code "labels":[…]}, with {@code
 * "timestamp"}, {@code "weight"} and {@code "id"} if wanted. Read as a stream of tokens; fields of
 * other names are passed over.
 */
final class JsonFormat implements ExampleFormat {

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .build();

  private final ExampleShape shape;

  JsonFormat(ExampleShape shape) {
    this.shape = shape;
  }

  @Override
  public void read(byte[] value, Example into) throws InvalidExampleException {
    try (JsonParser json = JSON.createParser(value)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new InvalidExampleException("not a JSON object");
      }
      boolean hasFeatures = false;
      boolean hasLabel = false;
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        JsonToken token = json.nextToken();
        switch (field) {
          case "features" -> {
            Checks.featureCount(shape, readArray(json, "features", into.features()));
            hasFeatures = true;
          }
          case "label" -> {
            refuseSecondLabel(hasLabel);
            readLabel(json, into);
            hasLabel = true;
          }
          case "labels" -> {
            refuseSecondLabel(hasLabel);
            Checks.labelCount(shape, readArray(json, "labels", into.labels()));
            hasLabel = true;
          }
          case "weight" -> Checks.setWeight(into, number(json, "weight"));
          case "timestamp" -> into.setTimestamp(timestamp(json));
          case "id" -> into.setId(id(json, token));
          default -> json.skipChildren();
        }
      }
      if (json.nextToken() != null) {
        throw new InvalidExampleException("something follows the JSON object");
      }
      require(hasFeatures, "features");
      require(hasLabel, shape.target() == Target.CLASSIFICATION ? "label" : "labels");
      Checks.features(into);
      Checks.labels(into);
    } catch (JsonProcessingException e) {
      throw new InvalidExampleException(
          "not JSON at byte %d: %s"
              .formatted(
                  e.getLocation() == null ? -1 : e.getLocation().getByteOffset(),
                  e.getOriginalMessage()));
    } catch (IOException e) {
      throw new InvalidExampleException("not JSON: " + e.getMessage());
    }
  }

  private static void refuseSecondLabel(boolean hasLabel) throws InvalidExampleException {
    if (hasLabel) {
      throw new InvalidExampleException("both \"label\" and \"labels\" found");
    }
  }

  private static void require(boolean found, String field) throws InvalidExampleException {
    if (!found) {
      throw new InvalidExampleException("field \"%s\" is missing".formatted(field));
    }
  }

  private void readLabel(JsonParser json, Example into)
      throws IOException, InvalidExampleException {
    if (shape.target() == Target.CLASSIFICATION) {
      if (json.currentToken() != JsonToken.VALUE_NUMBER_INT
          || json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
        throw new InvalidExampleException(
            "\"label\" is %s, not a class number".formatted(describe(json)));
      }
      Checks.setClass(into, json.getLongValue());
    } else {
      Checks.labelCount(shape, 1);
      into.labels()[0] = number(json, "label");
    }
  }

  /** Fills the target, and counts what comes, also beyond its end. */
  private static int readArray(JsonParser json, String field, float[] target)
      throws IOException, InvalidExampleException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw new InvalidExampleException(
          "\"%s\" is %s, not an array of numbers".formatted(field, describe(json)));
    }
    int count = 0;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      float number = number(json, field);
      if (count < target.length) {
        target[count] = number;
      }
      count++;
    }
    return count;
  }

  private static float number(JsonParser json, String field)
      throws IOException, InvalidExampleException {
    if (!json.currentToken().isNumeric()) {
      throw new InvalidExampleException(
          "\"%s\" has %s where a number is expected".formatted(field, describe(json)));
    }
    float number = json.getFloatValue();
    if (Float.isInfinite(number)) {
      throw new InvalidExampleException(
          "\"%s\" has %s, beyond the range of floats".formatted(field, describe(json)));
    }
    return number;
  }

  private static long timestamp(JsonParser json) throws IOException, InvalidExampleException {
    try {
      return json.currentToken() == JsonToken.VALUE_NUMBER_INT
          ? json.getLongValue()
          : Instant.parse(json.getText()).toEpochMilli();
    } catch (DateTimeException | ArithmeticException | JsonProcessingException e) {
      throw new InvalidExampleException(
          "\"timestamp\" is %s, neither milliseconds since 1970 nor an ISO-8601 instant"
              .formatted(describe(json)));
    }
  }

  private static String id(JsonParser json, JsonToken token)
      throws IOException, InvalidExampleException {
    if (token != JsonToken.VALUE_STRING && !token.isNumeric()) {
      throw new InvalidExampleException(
          "\"id\" is %s, neither a string nor a number".formatted(describe(json)));
    }
    return json.getText();
  }

  private static String describe(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a string";
      default -> json.getText().length() > 40 ? "a long number" : json.getText();
    };
  }

  @Override
  public byte[] write(Example example) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      if (example.id() != null) {
        json.writeStringField("id", example.id());
      }
      if (example.timestamp() != Example.NO_TIMESTAMP) {
        json.writeNumberField("timestamp", example.timestamp());
      }
      if (example.weight() != 1) {
        json.writeNumberField("weight", example.weight());
      }
      writeArray(json, "features", example.features());
      if (shape.target() == Target.CLASSIFICATION) {
        json.writeNumberField("label", Checks.classOf(example));
      } else {
        writeArray(json, "labels", example.labels());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void writeArray(JsonGenerator json, String field, float[] values)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (float value : values) {
      json.writeNumber(value);
    }
    json.writeEndArray();
  }
}
