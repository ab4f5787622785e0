package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.Ledger;
import dev.millrace.model.Partition;
import dev.millrace.snapshot.PartitionProgress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that can't be learned from, among those that can. */
class BadInputIT {

  private static final int EACH = 20;

  /** A record that is no example, and words of the reason that it is rejected for. */
  private record Bad(byte[] value, String reason) {

    static Bad text(String value, String reason) {
      return new Bad(value.getBytes(UTF_8), reason);
    }
  }

  private static final List<Bad> KINDS =
      List.of(
          Bad.text("no example at all", "not JSON"),
          Bad.text("{\"features\":[1,2,3],\"label\":0}", "8 features expected, 3 found"),
          Bad.text("{\"features\":[1,2,3,4,5,6,7,NaN],\"label\":0}", "NaN"),
          Bad.text("{\"features\":[1,2,3,4,5,6,7,1e999],\"label\":0}", "beyond the range of float"),
          Bad.text(
              "{\"features\":[1,2,3,4,5,6,7,8],\"label\":3}", "label 3 is out of range 0 to 2"),
          Bad.text("{\"features\":[1,2,3,4,5,6,7,8]}", "either \"label\" or \"labels\" expected"),
          Bad.text("", "empty value"),
          new Bad(null, "tombstone"),
          Bad.text("{\"id\":\"" + "x".repeat(2000) + "\"}", "at most 1024 are allowed"));

  @TempDir Path directory;

  private final Map<Partition, List<byte[]>> values = new HashMap<>();
  private final Map<String, Bad> bad = new HashMap<>();
  private final Ledger expected = new Ledger();
  private String topic;

  @BeforeEach
  void produceBadAmongGood() throws Exception {
    topic = Broker.topic(2);
    Blobs blobs = new Blobs(11);
    for (int number = 0; number < 2; number++) {
      Partition partition = new Partition(topic, Broker.topicId(topic), number);
      for (int round = 0; round < EACH; round++) {
        for (Bad kind : KINDS) {
          addGood(partition, blobs);
          addBad(partition, kind);
        }
      }
      Broker.produce(topic, number, values.get(partition));
    }
  }

  @Test
  void badRecordsAreKeptCountedAndNotLearnedFrom() throws Exception {
    String letters = Broker.topic(1);

    Job job =
        new Job(topic, directory)
            .set("input.format", "json")
            .set("input.max-record-size", "1 kb")
            .set("dead-letter.topic", letters)
            .run();

    assertThat(job.description().ledger())
        .containsExactlyInAnyOrderElementsOf(PartitionProgress.of(expected));
    List<JsonNode> reports = job.metrics("progress");
    JsonNode last = reports.get(reports.size() - 1);
    assertThat(last.get("examples").asLong()).isEqualTo(expected.learnedCount());
    assertThat(last.get("rejected").asLong()).isEqualTo(bad.size());
    assertDeadLetters(Broker.read(letters));
  }

  private void assertDeadLetters(List<ConsumerRecord<byte[], byte[]>> letters) {
    assertThat(letters)
        .extracting(letter -> header(letter, "partition") + "/" + header(letter, "offset"))
        .containsExactlyInAnyOrderElementsOf(bad.keySet());
    for (ConsumerRecord<byte[], byte[]> letter : letters) {
      Bad original = bad.get(header(letter, "partition") + "/" + header(letter, "offset"));
      assertThat(header(letter, "topic")).isEqualTo(topic);
      assertThat(header(letter, "reason")).contains(original.reason());
      if (original.value() == null) {
        assertThat(header(letter, "tombstone")).isEqualTo("true");
      } else {
        assertThat(letter.value()).isEqualTo(original.value());
      }
    }
  }

  private void addGood(Partition partition, Blobs blobs) {
    expected.learned(partition, add(partition, Blobs.encode(blobs.next(1), "json").get(0)));
  }

  private void addBad(Partition partition, Bad kind) {
    long offset = add(partition, kind.value());
    expected.rejected(partition, offset);
    bad.put(partition.number() + "/" + offset, kind);
  }

  /** Returns the offset that the value will have. */
  private long add(Partition partition, byte[] value) {
    List<byte[]> all = values.computeIfAbsent(partition, any -> new ArrayList<>());
    all.add(value);
    return all.size() - 1L;
  }

  private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
    return new String(letter.headers().lastHeader("millrace." + name).value(), UTF_8);
  }
}
