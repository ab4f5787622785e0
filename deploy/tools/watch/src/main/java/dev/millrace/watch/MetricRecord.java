package dev.millrace.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;

/** What a job writes of its training: one object of JSON. */
public final class MetricRecord {

  /** Bytes of one: Kafka takes no more, and as a tree it takes ten times as much. */
  static final int MOST_BYTES = 1 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private MetricRecord() {}

  /**
   * Parses a line, or a record of a topic; empty where it isn't a JSON object, such as a line that
   * was cut, or is too long.
   */
  public static Optional<ObjectNode> parse(byte[] text) {
    if (text.length > MOST_BYTES) {
      return Optional.empty();
    }
    try {
      JsonNode node = JSON.readTree(text);
      return node instanceof ObjectNode record ? Optional.of(record) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
