package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two replicas share rows, and end with the same bits each time. One partition has fewer records,
 * and each has a few that make no whole minibatch.
 */
@Tag("slow")
class OrderedRowsIT {

  private static final int[] RECORDS = {3_003, 2_501};
  private static final int FAULTS = 7;
  private static final int MEAN_STEPS = 12;

  private static final String FIELDS =
      """
      [{"path": "user", "kind": "id", "table": "users", "dimension": 4},
       {"path": "items", "kind": "ids", "table": "items", "dimension": 3},
       {"path": "clicked", "role": "label"}]
      """;

  @TempDir Path directory;

  private static String topic() throws Exception {
    String topic = Broker.topic(RECORDS.length);
    Random random = new Random(5);
    for (int partition = 0; partition < RECORDS.length; partition++) {
      List<byte[]> records = new ArrayList<>();
      for (int i = 0; i < RECORDS[partition]; i++) {
        int user = (int) Math.abs(random.nextGaussian() * 60);
        records.add(
            "{\"user\":\"u%s\",\"items\":[\"i%s\",7],\"clicked\":%s}"
                .formatted(user, random.nextInt(500), user * 7919 % 3 == 0 ? 1 : 0)
                .getBytes(UTF_8));
      }
      Broker.produce(topic, partition, records);
    }
    return topic;
  }

  private record End(Map<String, String> rows, float[] vector) {}

  private Job job(String topic, String name, int localSteps) {
    return new Job(topic, directory.resolve(name))
        .engine(TestEngine.DL4J)
        .unset("input.features")
        .set("input.format", "json")
        .set("input.fields", FIELDS)
        .set("input.outputs", "2")
        .set("tables.*.learning-rate", "0.3")
        .set("exchange.schedule", "sync")
        .set("exchange.local-steps", Integer.toString(localSteps))
        .set("exchange.delay", Integer.toString(localSteps - 1))
        .set("rows.order", "replica")
        .set("rows.prefetch", "0")
        .set("rows.cache", "30");
  }

  private static End end(String topic, Job job) throws Exception {
    String rows = Broker.topic("rows", 1);
    Broker.compact(rows);
    job.set("rows.topic", rows).run();
    job.assertTookAll(topic, RECORDS[0], RECORDS[1]);
    Map<String, String> newest = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : Broker.read(rows)) {
      String key = HexFormat.of().formatHex(record.key());
      if (record.value() == null) {
        newest.remove(key);
      } else {
        newest.put(key, HexFormat.of().formatHex(record.value()));
      }
    }
    return new End(newest, job.trained().vector());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void rowsAndNetworkAreTheSameBitByBitEachTimeAndWhateverFails(int localSteps) throws Exception {
    String topic = topic();
    End first = end(topic, job(topic, "first", localSteps));
    End second = end(topic, job(topic, "second", localSteps).handsOver(false));
    assertThat(first.rows()).hasSizeGreaterThan(300);
    assertThat(second.rows()).isEqualTo(first.rows());
    assertThat(second.vector()).containsExactly(first.vector());
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);

    End disturbed =
        end(topic, job(topic, "disturbed", localSteps).backend("rocksdb").faults(faults));

    assertThat(faults.thrown()).as("faults injected, seed %s", seed).isEqualTo(FAULTS);
    assertThat(disturbed.rows()).as("seed %s", seed).isEqualTo(first.rows());
    assertThat(disturbed.vector()).as("seed %s", seed).containsExactly(first.vector());
  }
}
