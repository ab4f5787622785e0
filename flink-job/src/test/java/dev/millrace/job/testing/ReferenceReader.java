package dev.millrace.job.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Says whether a value is an example of the shape of {@link Blobs}, as docs/internals/formats.md
 * has it: a second, slow and simple reading, for tests of the first.
 */
public final class ReferenceReader {

  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_DEPTH = 64;
  private static final int FEATURES = Blobs.SHAPE.features();
  private static final int CLASSES = Blobs.SHAPE.outputs();

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(10 * MOST_DEPTH).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private ReferenceReader() {}

  /**
   * Whether a value is an example.
   *
   * @param format {@code json} or {@code float32}
   * @param value null for a tombstone
   */
  public static boolean isExample(String format, byte[] value) {
    if (value == null || value.length == 0 || value.length > MOST_BYTES) {
      return false;
    }
    return format.equals("json") ? isJsonExample(value) : isBinaryExample(value);
  }

  private static boolean isJsonExample(byte[] value) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
      JsonNode example = JSON.readTree(value);
      return example.isObject()
          && depth(example) <= MOST_DEPTH
          && areNumbers(example.get("features"), FEATURES)
          && hasLabel(example)
          && (!example.hasNonNull("weight") || isWeight(example.get("weight")))
          && (!example.hasNonNull("timestamp") || isTimestamp(example.get("timestamp")))
          && (!example.hasNonNull("id")
              || example.get("id").isTextual()
              || example.get("id").isNumber());
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private static int depth(JsonNode root) {
    Deque<JsonNode> level = new ArrayDeque<>();
    level.add(root);
    int depth = 0;
    while (!level.isEmpty()) {
      Deque<JsonNode> next = new ArrayDeque<>();
      boolean containers = false;
      for (JsonNode node : level) {
        containers |= node.isContainerNode();
        node.forEach(next::add);
      }
      depth += containers ? 1 : 0;
      level = next;
    }
    return depth;
  }

  private static boolean areNumbers(JsonNode array, int count) {
    if (array == null || !array.isArray() || array.size() != count) {
      return false;
    }
    for (JsonNode number : array) {
      if (!number.isNumber() || !Float.isFinite(number.floatValue())) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasLabel(JsonNode example) {
    if (example.hasNonNull("label") == example.hasNonNull("labels")) {
      return false;
    }
    if (example.hasNonNull("labels")) {
      JsonNode labels = example.get("labels");
      return areNumbers(labels, CLASSES) && isOneHot(labels);
    }
    JsonNode label = example.get("label");
    double number = label.isNumber() ? label.doubleValue() : -1;
    return number == Math.rint(number) && number >= 0 && number < CLASSES;
  }

  private static boolean isOneHot(JsonNode labels) {
    int ones = 0;
    int zeros = 0;
    for (JsonNode label : labels) {
      ones += label.floatValue() == 1 ? 1 : 0;
      zeros += label.floatValue() == 0 ? 1 : 0;
    }
    return ones == 1 && zeros == CLASSES - 1;
  }

  private static boolean isWeight(JsonNode weight) {
    float number = weight.isNumber() ? weight.floatValue() : -1;
    return number > 0 && Float.isFinite(number);
  }

  private static boolean isTimestamp(JsonNode timestamp) {
    if (timestamp.isTextual()) {
      try {
        return Instant.parse(timestamp.textValue()).toEpochMilli() != Long.MIN_VALUE;
      } catch (DateTimeException | ArithmeticException e) {
        return false;
      }
    }
    return timestamp.isIntegralNumber()
        && timestamp.canConvertToLong()
        && timestamp.longValue() != Long.MIN_VALUE;
  }

  private static boolean isBinaryExample(byte[] value) {
    if (value.length < 16) {
      return false;
    }
    ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    boolean known = in.getInt() == 0x4258524d && in.get() == 1 && in.get() == 1;
    int flags = in.getShort();
    boolean hasClass = (flags & 3) == 1;
    boolean hasVector = (flags & 3) == 2;
    int labels = hasClass ? 1 : CLASSES;
    int length =
        16 + 4 * FEATURES + 4 * labels + ((flags & 4) == 0 ? 0 : 4) + ((flags & 8) == 0 ? 0 : 8);
    if (!known
        || (flags & ~15) != 0
        || hasClass == hasVector
        || in.getInt() != FEATURES
        || in.getInt() != labels
        || value.length != length) {
      return false;
    }
    boolean sound = true;
    for (int i = 0; i < FEATURES; i++) {
      sound &= Float.isFinite(in.getFloat());
    }
    if (hasClass) {
      int label = in.getInt();
      sound &= label >= 0 && label < CLASSES;
    } else {
      int ones = 0;
      int zeros = 0;
      for (int i = 0; i < CLASSES; i++) {
        float label = in.getFloat();
        ones += label == 1 ? 1 : 0;
        zeros += label == 0 ? 1 : 0;
      }
      sound &= ones == 1 && zeros == CLASSES - 1;
    }
    if ((flags & 4) != 0) {
      float weight = in.getFloat();
      sound &= weight > 0 && Float.isFinite(weight);
    }
    return sound && ((flags & 8) == 0 || in.getLong() != Long.MIN_VALUE);
  }
}
