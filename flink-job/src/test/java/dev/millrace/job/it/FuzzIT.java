package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.Attempts;
import dev.millrace.job.testing.FuzzedRecords;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.ReferenceReader;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever producers send, each record is learned from or rejected once, and none is learned from
 * that is no example: a million records.
 */
@Tag("nightly")
class FuzzIT {

  private static final int RECORDS = 500_000;
  private static final int CHUNK = 5_000;
  private static final int PARTITIONS = 2;

  /** Of the records that are examples, at least; with the others there were some that explode. */
  private static final double LEARNED = 0.1;

  /** In the reason of a dead letter for all records of a refused contribution. */
  private static final String REFUSED = ", left out together: ";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"json", "float32"})
  void eachRecordIsLearnedFromOrRejectedAndNoneThatIsNoExample(String format) throws Exception {
    long seed = Seeds.next();
    String topic = Broker.topic(PARTITIONS);
    Broker.allowRecordsOf(topic, 2 * FuzzedRecords.ENORMOUS_BYTES);
    String letters = Broker.topic(1);
    List<BitSet> examples = produce(topic, format, seed);
    Attempts attempts = new Attempts();

    Job job =
        new Job(topic, directory)
            .set("input.format", format)
            .set("batch.max-wait", "1 s")
            .set("dead-letter.topic", letters)
            .set("execution.checkpointing.interval", "1 s")
            .set("snapshot.interval", "5 s")
            .set("metrics.interval", "1 s")
            .faults(attempts)
            .run();

    assertThat(attempts.count()).as("seed %d", seed).isEqualTo(1);
    job.assertTookAll(topic, RECORDS / PARTITIONS, RECORDS / PARTITIONS);
    assertRejected(letters, examples, format, seed);
    List<JsonNode> reports = job.metrics("progress");
    long learned = reports.get(reports.size() - 1).get("examples").asLong();
    int all = examples.stream().mapToInt(BitSet::cardinality).sum();
    assertThat(learned).as("seed %d", seed).isBetween((long) (LEARNED * all), (long) all);
    for (float parameter : job.trained().vector()) {
      assertThat(parameter).as("seed %d", seed).isFinite();
    }
  }

  /** Which offsets of each partition are examples. */
  private static List<BitSet> produce(String topic, String format, long seed) throws Exception {
    List<BitSet> examples = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      FuzzedRecords records = new FuzzedRecords(format, seed + partition);
      BitSet found = new BitSet();
      for (int offset = 0; offset < RECORDS / PARTITIONS; ) {
        List<byte[]> chunk = new ArrayList<>();
        for (; chunk.size() < CHUNK && offset < RECORDS / PARTITIONS; offset++) {
          byte[] value = records.next();
          found.set(offset, ReferenceReader.isExample(format, value));
          chunk.add(value);
        }
        Broker.produce(topic, partition, chunk);
      }
      examples.add(found);
    }
    return examples;
  }

  /**
   * All that are no examples are dead letters, once, and nothing else is, but what a guard refused
   * together: examples that explode are among them.
   */
  private static void assertRejected(
      String letters, List<BitSet> examples, String format, long seed) {
    List<BitSet> left = new ArrayList<>();
    for (BitSet found : examples) {
      BitSet others = (BitSet) found.clone();
      others.flip(0, RECORDS / PARTITIONS);
      left.add(others);
    }
    Broker.forEach(
        letters,
        letter -> {
          if (header(letter, "reason").contains(REFUSED)) {
            return;
          }
          int partition = Integer.parseInt(header(letter, "partition"));
          int offset = Integer.parseInt(header(letter, "offset"));
          assertThat(left.get(partition).get(offset))
              .as(
                  "seed %d, %s, partition %d, offset %d rejected: %s; %s",
                  seed,
                  format,
                  partition,
                  offset,
                  header(letter, "reason"),
                  HexFormat.of().formatHex(letter.value()))
              .isTrue();
          left.get(partition).clear(offset);
        });
    for (int partition = 0; partition < PARTITIONS; partition++) {
      assertThat(left.get(partition).stream())
          .as("seed %d, %s, partition %d: learned from", seed, format, partition)
          .isEmpty();
    }
  }

  private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
    return new String(letter.headers().lastHeader("millrace." + name).value(), UTF_8);
  }
}
