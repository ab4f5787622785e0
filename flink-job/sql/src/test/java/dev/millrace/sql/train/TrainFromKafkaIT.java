package dev.millrace.sql.train;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.job.testing.SharedFlink;
import dev.millrace.job.testing.TestEnvironment;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.testing.LedgerCheck;
import dev.millrace.sql.Queries;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A topic's rows train; what is no example and what is measured comes back into topics. */
@ExtendWith(SharedFlink.class)
class TrainFromKafkaIT {

  private static final int ROWS = 1_000;

  /** Each of these has no label. */
  private static final int EVERY = 100;

  @TempDir Path directory;

  @Test
  void rejectedRowsAndMetricRecordsComeIntoTopics() throws Exception {
    String payments = Broker.topic(2);
    for (int partition = 0; partition < 2; partition++) {
      Broker.write(payments, partition, lines(partition));
    }
    String letters = Broker.topic("letters", 1);
    String metrics = Broker.topic("metrics", 1);
    Queries queries = Queries.of(TestEnvironment.local(2, "hashmap", null, 0), directory);
    queries.run(
        """
        CREATE TABLE payments (amount DOUBLE, color STRING, kind STRING) WITH (
          'connector' = 'kafka', 'topic' = '%s', 'properties.bootstrap.servers' = '%s',
          'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset', 'format' = 'json')\
        """
            .formatted(payments, Broker.cluster().bootstrapServers()));
    queries.run(
        """
        CREATE TABLE training (amount DOUBLE, color STRING, kind STRING) WITH (
          'connector' = 'millrace', 'label' = 'kind', 'input.classes' = 'normal;fraud',
          'model.name' = 'mlp', 'model.hidden' = '8', 'batch.size' = '16',
          'snapshot.directory' = '%s', 'properties.bootstrap.servers' = '%s',
          'dead-letter.topic' = '%s', 'metrics.topic' = '%s', 'metrics.interval' = '10 ms')\
        """
            .formatted(directory, Broker.cluster().bootstrapServers(), letters, metrics));

    queries.insert("INSERT INTO training SELECT amount, color, kind FROM payments");

    SnapshotDescription model = LatestSnapshot.find(directory).orElseThrow().description();
    assertThat(
            LedgerCheck.requirePrefix(model, "training").values().stream()
                .mapToLong(Long::longValue)
                .sum())
        .isEqualTo(ROWS);
    assertThat(model.prequential().examples()).isEqualTo(ROWS - ROWS / EVERY);
    assertLetters(Broker.read(letters));
    assertThat(types(Broker.read(metrics))).containsKeys("progress", "snapshot", "rejections");
  }

  private static String[] lines(int partition) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < ROWS / 2; i++) {
      lines.add(
          "{\"amount\": %s.5, \"color\": \"%s\", \"kind\": %s}"
              .formatted(
                  i,
                  partition == 0 ? "red" : "blue",
                  i % EVERY == 7 ? "null" : i > ROWS / 4 ? "\"fraud\"" : "\"normal\""));
    }
    return lines.toArray(String[]::new);
  }

  private static void assertLetters(List<ConsumerRecord<byte[], byte[]>> letters) throws Exception {
    assertThat(letters).hasSize(ROWS / EVERY);
    for (ConsumerRecord<byte[], byte[]> letter : letters) {
      JsonNode row = new ObjectMapper().readTree(letter.value());
      assertThat(row.get("amount").doubleValue() % EVERY).isEqualTo(7.5);
      assertThat(row.get("color").textValue()).isIn("red", "blue");
      assertThat(row.get("kind").isNull()).isTrue();
      assertThat(new String(letter.headers().lastHeader("millrace.reason").value(), UTF_8))
          .isEqualTo("field \"kind\" is missing");
      assertThat(new String(letter.headers().lastHeader("millrace.topic").value(), UTF_8))
          .isEqualTo("training");
    }
  }

  private static Map<String, Integer> types(List<ConsumerRecord<byte[], byte[]>> records)
      throws Exception {
    Map<String, Integer> types = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      types.merge(
          new ObjectMapper().readTree(record.value()).get("type").textValue(), 1, Integer::sum);
    }
    return types;
  }
}
