package dev.millrace.kafka.sink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.RejectedRecord;
import dev.millrace.model.Partition;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class DeadLetterFormatTest {

  private final DeadLetterFormat format = new DeadLetterFormat("dead");

  @Test
  void keepsTheBytesAndSaysWhereTheyCameFrom() {
    ProducerRecord<byte[], byte[]> letter = write(new byte[] {1}, new byte[] {2, 3}, "bad");

    assertThat(letter.topic()).isEqualTo("dead");
    assertThat(letter.key()).containsExactly(1);
    assertThat(letter.value()).containsExactly(2, 3);
    assertThat(letter.timestamp()).isNull();
    assertThat(headers(letter))
        .containsOnly(
            Map.entry("millrace.topic", "t"),
            Map.entry("millrace.partition", "4"),
            Map.entry("millrace.offset", "5"),
            Map.entry("millrace.timestamp", "6"),
            Map.entry("millrace.reason", "bad"));
  }

  @Test
  void keepsATombstoneAsAnEmptyValue() {
    ProducerRecord<byte[], byte[]> letter = write(null, null, "bad");

    assertThat(letter.key()).isNull();
    assertThat(letter.value()).isEmpty();
    assertThat(headers(letter)).containsEntry("millrace.tombstone", "true");
  }

  @Test
  void cutsWhatABrokerWouldRefuse() {
    ProducerRecord<byte[], byte[]> letter =
        write(new byte[1_000_000], new byte[3_000_000], "x".repeat(1_000_000));

    assertThat(letter.key().length + letter.value().length).isLessThan(970_000);
    assertThat(headers(letter))
        .containsEntry("millrace.truncated-from", "3000000")
        .containsEntry("millrace.key-truncated-from", "1000000")
        .hasEntrySatisfying("millrace.reason", reason -> assertThat(reason).hasSize(2_000));
  }

  private ProducerRecord<byte[], byte[]> write(byte[] key, byte[] value, String reason) {
    return format.serialize(
        new RejectedRecord(new Partition("t", 4), 5, 6, key, value, reason), null, null);
  }

  private static Map<String, String> headers(ProducerRecord<byte[], byte[]> letter) {
    Map<String, String> headers = new TreeMap<>();
    letter
        .headers()
        .forEach(h -> headers.put(h.key(), new String(h.value(), StandardCharsets.UTF_8)));
    return headers;
  }
}
