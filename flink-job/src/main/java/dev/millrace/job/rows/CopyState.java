package dev.millrace.job.rows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.kafka.topic.TopicPlace;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * What a copy knows of itself.
 *
 * @param topic that it is of; empty for none yet
 * @param place where the rows that are written stand
 * @param read the number of the rows that are read
 * @param written the number of the rows that are written; a greater one than {@code read} while the
 *     copy is made anew
 */
record CopyState(String topic, TopicPlace place, int read, int written) {

  /** Nothing was copied. */
  static final CopyState EMPTY = new CopyState("", TopicPlace.NONE, 1, 1);

  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  CopyState at(String ofTopic, TopicPlace newPlace) {
    return new CopyState(ofTopic, newPlace, read, written);
  }

  /** Rows are written anew, beside those that are read. */
  CopyState anew() {
    return new CopyState("", TopicPlace.NONE, read, Math.addExact(written, 1));
  }

  /** The rows that are written are read from now on. */
  CopyState whole() {
    return new CopyState(topic, place, written, written);
  }

  byte[] bytes() {
    ObjectNode json =
        JSON.createObjectNode()
            .put("format", VERSION)
            .put("topic", topic)
            .put("id", place.topicId())
            .put("as-of", place.asOf())
            .put("read", read)
            .put("written", written);
    ObjectNode offsets = json.putObject("offsets");
    place.offsets().forEach((partition, offset) -> offsets.put(partition.toString(), offset));
    try {
      return JSON.writeValueAsBytes(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Reads what {@link #bytes} has written.
   *
   * @throws IOException if it isn't of this release
   */
  static CopyState of(byte[] bytes) throws IOException {
    JsonNode json = JSON.readTree(bytes);
    int version = json.path("format").asInt();
    if (version != VERSION) {
      throw new IOException(
          "it has the format %s, and this release reads %s; delete it".formatted(version, VERSION));
    }
    Map<Integer, Long> offsets = new HashMap<>();
    json.path("offsets")
        .properties()
        .forEach(
            offset -> offsets.put(Integer.valueOf(offset.getKey()), offset.getValue().asLong()));
    return new CopyState(
        json.path("topic").asText(),
        new TopicPlace(json.path("id").asText(), offsets, json.path("as-of").asLong()),
        json.path("read").asInt(),
        json.path("written").asInt());
  }
}
