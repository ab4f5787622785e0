package dev.millrace.kafka.sink;

import dev.millrace.example.RejectedRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A rejected record as a record of the dead-letter topic: key and value as they came, and where
 * they came from and why they were rejected in headers, all UTF-8 text:
 *
 * <table>
 *   <caption>Headers</caption>
 *   <tr><td>{@code millrace.topic}</td><td>the record's topic</td></tr>
 *   <tr><td>{@code millrace.partition}</td><td>its partition</td></tr>
 *   <tr><td>{@code millrace.offset}</td><td>its offset</td></tr>
 *   <tr><td>{@code millrace.timestamp}</td><td>its time, milliseconds since the epoch</td></tr>
 *   <tr><td>{@code millrace.reason}</td><td>why it was rejected</td></tr>
 *   <tr><td>{@code millrace.tombstone}</td><td>{@code true} where it had no value; the value is
 *     empty then, because a tombstone would delete others from a compacted topic</td></tr>
 *   <tr><td>{@code millrace.truncated-from}</td><td>the value's length in bytes, where it was cut
 *     </td></tr>
 *   <tr><td>{@code millrace.key-truncated-from}</td><td>the key's length, where it was cut</td></tr>
 * </table>
 *
 * <p>The limits keep every dead letter below the million bytes that brokers and producers take
 * unless told otherwise, so that none can stop the job. For the same reason the record's time is
 * that of writing: brokers may refuse times that are too far off.
 */
final class DeadLetterFormat implements KafkaRecordSerializationSchema<RejectedRecord> {

  static final int MAX_VALUE_BYTES = 900_000;
  static final int MAX_KEY_BYTES = 64_000;
  static final int MAX_REASON_CHARS = 2_000;

  private static final String PREFIX = "millrace.";

  private final String topic;

  DeadLetterFormat(String topic) {
    this.topic = Objects.requireNonNull(topic, "topic");
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      RejectedRecord rejected, KafkaSinkContext context, Long timestamp) {
    ProducerRecord<byte[], byte[]> letter =
        new ProducerRecord<>(topic, cut(rejected.key(), MAX_KEY_BYTES), value(rejected));
    headers(rejected)
        .forEach((name, text) -> letter.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
    if (rejected.key() != null && rejected.key().length > MAX_KEY_BYTES) {
      letter
          .headers()
          .add(
              PREFIX + "key-truncated-from",
              Integer.toString(rejected.key().length).getBytes(StandardCharsets.UTF_8));
    }
    return letter;
  }

  /** The record's value, cut where it is too long; empty where it has none. */
  static byte[] value(RejectedRecord rejected) {
    return rejected.value() == null ? new byte[0] : cut(rejected.value(), MAX_VALUE_BYTES);
  }

  /** All headers but what became of the key, in order. */
  static Map<String, String> headers(RejectedRecord rejected) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(PREFIX + "topic", rejected.partition().topic());
    headers.put(PREFIX + "partition", Integer.toString(rejected.partition().number()));
    headers.put(PREFIX + "offset", Long.toString(rejected.offset()));
    headers.put(PREFIX + "timestamp", Long.toString(rejected.timestamp()));
    String reason = rejected.reason();
    headers.put(
        PREFIX + "reason", reason.substring(0, Math.min(reason.length(), MAX_REASON_CHARS)));
    if (rejected.value() == null) {
      headers.put(PREFIX + "tombstone", "true");
    } else if (rejected.value().length > MAX_VALUE_BYTES) {
      headers.put(PREFIX + "truncated-from", Integer.toString(rejected.value().length));
    }
    return headers;
  }

  private static byte[] cut(byte[] bytes, int limit) {
    return bytes == null || bytes.length <= limit ? bytes : Arrays.copyOf(bytes, limit);
  }
}
