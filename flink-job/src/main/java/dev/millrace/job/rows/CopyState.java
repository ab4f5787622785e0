package dev.millrace.job.rows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/**
 * What a copy knows of itself.
 *
 * @param of the place that it is of; empty for none yet
 * @param stands where the rows that are written stand there, as its feed says it
 * @param read the number of the rows that are read
 * @param written the number of the rows that are written; a greater one than {@code read} while the
 *     copy is made anew
 */
record CopyState(String of, String stands, int read, int written) {

  /** Nothing was copied. */
  static final CopyState EMPTY = new CopyState("", "", 1, 1);

  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  CopyState at(String newOf, String newStands) {
    return new CopyState(newOf, newStands, read, written);
  }

  /** Rows are written anew, beside those that are read. */
  CopyState anew() {
    return new CopyState("", "", read, Math.addExact(written, 1));
  }

  /** The rows that are written are read from now on. */
  CopyState whole() {
    return new CopyState(of, stands, written, written);
  }

  byte[] bytes() {
    try {
      return JSON.writeValueAsBytes(
          JSON.createObjectNode()
              .put("format", VERSION)
              .put("of", of)
              .put("stands", stands)
              .put("read", read)
              .put("written", written));
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
    return new CopyState(
        json.path("of").asText(),
        json.path("stands").asText(),
        json.path("read").asInt(),
        json.path("written").asInt());
  }
}
