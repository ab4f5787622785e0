package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.rows.SavedTable;
import dev.millrace.exchange.savepoint.SavedRows;
import dev.millrace.exchange.savepoint.SavedStates;
import dev.millrace.fields.IdHash;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.job.train.TrainingOperators;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every use of every id is in its row exactly once, whatever fails and however many replicas. */
class ExactRowsIT {

  private static final int PARTITIONS = 3;
  private static final String FIELDS =
      """
      [{"path": "user", "kind": "id", "table": "users", "dimension": 4},
       {"path": "items", "kind": "ids", "table": "items", "dimension": 3},
       {"path": "clicked", "role": "label"}]
      """;

  @TempDir Path directory;

  private final Map<Long, Long> users = new TreeMap<>();
  private final Map<Long, Long> items = new TreeMap<>();

  private String topic(int recordsOfPartition) throws Exception {
    String topic = Broker.topic(PARTITIONS);
    Random random = new Random(7);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<byte[]> records = new ArrayList<>();
      for (int i = 0; i < recordsOfPartition; i++) {
        String user = "u" + (int) Math.abs(random.nextGaussian() * 200);
        String item = "i" + random.nextInt(1_000);
        users.merge(IdHash.of("users", user), 1L, Long::sum);
        items.merge(IdHash.of("items", item), 1L, Long::sum);
        items.merge(IdHash.of("items", "always"), 1L, Long::sum);
        records.add(
            "{\"user\":\"%s\",\"items\":[\"%s\",\"always\"],\"clicked\":%s}"
                .formatted(user, item, i % 2)
                .getBytes(UTF_8));
      }
      Broker.produce(topic, partition, records);
    }
    return topic;
  }

  private Job job(String topic) {
    return new Job(topic, directory)
        .engine(TestEngine.DL4J)
        .backend("rocksdb")
        .unset("input.features")
        .set("input.bounded", "false")
        .set("input.format", "json")
        .set("input.fields", FIELDS)
        .set("input.outputs", "2")
        .set("batch.max-wait", "50 ms")
        .set("exchange.round-timeout", "1 s");
  }

  @Test
  @Tag("slow")
  void nineFailuresAndOtherNumbersOfReplicas() throws Exception {
    everyUseCountsOnce(2_000, 3, "overlap", "arrival");
  }

  /** Shards hold pushes when the jobs stop. */
  @Test
  @Tag("slow")
  void nineFailuresAndOtherNumbersOfReplicasInReplicaOrder() throws Exception {
    everyUseCountsOnce(2_000, 3, "sync", "replica");
  }

  @Test
  @Tag("nightly")
  void fiftyFailures() throws Exception {
    everyUseCountsOnce(8_000, 17, "overlap", "arrival");
  }

  @Test
  @Tag("nightly")
  void fiftyFailuresInReplicaOrder() throws Exception {
    everyUseCountsOnce(8_000, 17, "sync", "replica");
  }

  /** Fails so often with each number of replicas. */
  private void everyUseCountsOnce(
      int recordsOfPartition, int failures, String schedule, String order) throws Exception {
    String topic = topic(recordsOfPartition);
    long all = (long) PARTITIONS * recordsOfPartition;
    Job job =
        job(topic)
            .set("exchange.schedule", schedule)
            .set("rows.order", order)
            // Most rows leave the heap, or none does.
            .set("rows.cache", order.equals("replica") ? "10000" : "50")
            .set("rows.prefetch", order.equals("replica") ? "0" : "1");
    long seed = Seeds.next();

    String savepoint = null;
    int thrown = 0;
    int[] replicas = {1, 3, 2};
    for (int part = 0; part < replicas.length; part++) {
      SeededFaults faults = new SeededFaults(seed + part, failures, 20);
      job.parallelism(replicas[part]).faults(faults).from(savepoint);
      long enough = all * (part + 1) / replicas.length;
      JobClient client = job.start();
      job.await(() -> job.taken() == all || (job.taken() >= enough && faults.thrown() == failures));
      thrown += faults.thrown();
      faults.end();
      savepoint = job.stop(client, part == replicas.length - 1);
    }

    assertThat(thrown).as("faults, seed %s", seed).isGreaterThanOrEqualTo(failures);
    job.assertTookAll(topic, recordsOfPartition, recordsOfPartition, recordsOfPartition);
    Map<String, Map<Long, Long>> uses = uses(savepoint);
    assertThat(uses.get("users")).as("seed %s", seed).isEqualTo(users);
    assertThat(uses.get("items")).as("seed %s", seed).isEqualTo(items);
  }

  private static Map<String, Map<Long, Long>> uses(String savepoint) throws Exception {
    SavedRows rows = new SavedRows(SavedStates.open(savepoint), TrainingOperators.ROWS.uid());
    List<SavedTable> tables = rows.tables();
    Map<String, Map<Long, Long>> uses = new TreeMap<>();
    tables.forEach(table -> uses.put(table.name(), new TreeMap<>()));
    rows.forEach(
        tables, (table, row) -> uses.get(tables.get(table).name()).put(row.id(), row.uses()));
    return uses;
  }
}
