package dev.millrace.kafka.sink;

import dev.millrace.example.RejectedRecord;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * A record that a job writes to one of several topics.
 *
 * @param keyOrNull null where it has none
 * @param valueOrNull null where it says that the key is gone, in a compacted topic
 * @param headers UTF-8 text
 */
public record OutputRecord(
    String topic, byte[] keyOrNull, byte[] valueOrNull, Map<String, String> headers) {

  /** A record of a key. */
  public static OutputRecord of(String topic, byte[] key, byte[] valueOrNull) {
    return new OutputRecord(topic, key, valueOrNull, Map.of());
  }

  /** A line of text. */
  public static OutputRecord of(String topic, String line) {
    return new OutputRecord(topic, null, line.getBytes(StandardCharsets.UTF_8), Map.of());
  }

  /** A rejected record, as dead letters are laid out; its key is left out. */
  public static OutputRecord of(String topic, RejectedRecord rejected) {
    return new OutputRecord(
        topic, null, DeadLetterFormat.value(rejected), DeadLetterFormat.headers(rejected));
  }

  public static TypeInformation<OutputRecord> type() {
    return Types.POJO(
        OutputRecord.class,
        Map.of(
            "topic", Types.STRING,
            "keyOrNull", Types.PRIMITIVE_ARRAY(Types.BYTE),
            "valueOrNull", Types.PRIMITIVE_ARRAY(Types.BYTE),
            "headers", Types.MAP(Types.STRING, Types.STRING)));
  }
}
