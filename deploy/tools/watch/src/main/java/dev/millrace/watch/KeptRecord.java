package dev.millrace.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A record as text: as a tree it takes ten times the memory.
 *
 * @param time of it
 * @param json in UTF-8
 */
@SuppressWarnings("ArrayRecordComponent") // It is handed on, never compared.
record KeptRecord(long time, byte[] json) {

  /** Bytes of the two objects. */
  private static final int OBJECTS = 40;

  static KeptRecord of(ObjectNode record) {
    return new KeptRecord(record.path("time").asLong(), record.toString().getBytes(UTF_8));
  }

  /** Bytes of memory that it takes. */
  int size() {
    return json.length + OBJECTS;
  }

  String text() {
    return new String(json, UTF_8);
  }

  ObjectNode record() {
    return MetricRecord.parse(json).orElseThrow();
  }
}
